#include "interchange/application.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

namespace {

/// Receives of one rank that wait for a message, by sender and tag, first come, first served: a table that is used
/// again for the next rank.
class Waiting {
 public:
  /// For so many receives.
  void begin(std::size_t most) {
    std::size_t size = 16;
    while (size < 2 * most) size *= 2;
    mask_ = size - 1;
    slots_.assign(size, {});
  }
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t first = Application::none, last = Application::none;
    bool used = false;
  };
  Slot& at(std::uint64_t key) {
    std::size_t i = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 20) & mask_;
    while (slots_[i].used && slots_[i].key != key) i = (i + 1) & mask_;
    slots_[i].used = true, slots_[i].key = key;
    return slots_[i];
  }

 private:
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

}  // namespace

void ApplicationBuilder::refuse(std::int64_t line, const std::string& why) const { refuse_line(file_, line, why); }

std::uint32_t ApplicationBuilder::add(const Application::Op& op, std::int64_t tag, std::int64_t line) {
  if (std::ssize(app_.ops) >= most_operations)
    throw Error(Error::Kind::budget, fmt::format("more than {} operations", most_operations));
  if (tag < 0 || tag >= Application::none) refuse(line, fmt::format("tag {}; expected 0 to 2^32 - 2", tag));
  app_.ops.push_back(op);
  tags_.push_back(static_cast<std::uint32_t>(tag));
  lines_.push_back(static_cast<std::uint32_t>(line));
  return static_cast<std::uint32_t>(app_.ops.size() - 1);
}

/// Sends are sorted by receiver, and receives are of one rank anyway: then only one rank's are looked at at a time.
void ApplicationBuilder::meet() {
  using Type = Application::Type;
  std::vector<Application::Op>& ops = app_.ops;
  const auto ranks = static_cast<std::size_t>(app_.ranks);
  std::vector<std::uint32_t> sends_to(ranks + 1, 0), receives_of(ranks + 1, 0);
  for (const auto& op : ops) {
    if (op.type == Type::send) ++sends_to[op.peer + std::size_t{1}], ++app_.messages;
    if (op.type == Type::recv) ++receives_of[op.rank + std::size_t{1}];
  }
  for (std::size_t r = 0; r < ranks; ++r) sends_to[r + 1] += sends_to[r], receives_of[r + 1] += receives_of[r];
  std::vector<std::uint32_t> sends(sends_to.back()), receives(receives_of.back());
  std::vector<std::uint32_t> at_send(sends_to.begin(), sends_to.end() - 1),
      at_recv(receives_of.begin(), receives_of.end() - 1);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (ops[i].type == Type::send) sends[at_send[ops[i].peer]++] = i;
    if (ops[i].type == Type::recv) receives[at_recv[ops[i].rank]++] = i;
  }
  Waiting waiting;
  for (std::size_t r = 0; r < ranks; ++r) {
    waiting.begin(receives_of[r + 1] - receives_of[r]);
    const auto key = [&](std::uint32_t from, std::uint32_t op) { return std::uint64_t{from} << 32 | tags_[op]; };
    for (std::uint32_t n = receives_of[r]; n < receives_of[r + 1]; ++n) {
      const std::uint32_t op = receives[n];
      Waiting::Slot& slot = waiting.at(key(ops[op].peer, op));
      if (slot.first == Application::none)
        slot.first = op;
      else
        ops[slot.last].partner = op;  // for now: the next one
      slot.last = op;
    }
    for (std::uint32_t n = sends_to[r]; n < sends_to[r + 1]; ++n) {
      const std::uint32_t op = sends[n];
      Waiting::Slot& slot = waiting.at(key(ops[op].rank, op));
      const std::uint32_t other = slot.first;
      if (other == Application::none)
        refuse(lines_[op],
               fmt::format("rank {} sends to {} with tag {}, and no receive meets that", ops[op].rank, r, tags_[op]));
      slot.first = ops[other].partner;
      ops[op].partner = other, ops[other].partner = op;
      if (ops[other].amount < ops[op].amount)
        refuse(lines_[other], fmt::format("rank {} receives {} bytes from {}, which sends {}", r, ops[other].amount,
                                          ops[op].rank, ops[op].amount));
    }
    for (std::uint32_t n = receives_of[r]; n < receives_of[r + 1]; ++n) {
      const std::uint32_t op = receives[n], other = ops[op].partner;
      if (other == Application::none || ops[other].type != Type::send || ops[other].partner != op)
        refuse(lines_[op],
               fmt::format("rank {} receives from {} with tag {}, and nobody sends that", r, ops[op].peer, tags_[op]));
    }
  }
}

void ApplicationBuilder::link() {
  const std::size_t count = app_.ops.size();
  app_.waits.assign(count, 0);
  app_.first.assign(count + 1, 0);
  for (const Edge& e : edges_)
    ++app_.first[(e.earlier & ~Application::at_start) + std::size_t{1}], ++app_.waits[e.later];
  for (std::size_t i = 0; i < count; ++i) app_.first[i + 1] += app_.first[i];
  app_.next.resize(edges_.size());
  std::vector<std::uint32_t> at(app_.first.begin(), app_.first.end() - 1);
  for (const Edge& e : edges_)
    app_.next[at[e.earlier & ~Application::at_start]++] = e.later | (e.earlier & Application::at_start);
  edges_ = {};
}

Application ApplicationBuilder::finish(Rank ranks) {
  app_.ranks = ranks;
  meet();
  tags_ = {}, lines_ = {};
  link();
  return std::move(app_);
}

Application read_application(std::string_view text, const std::string& name, const ReadApplication& how) {
  std::string_view begin = base::trimmed(text.substr(0, 65536));
  const bool goal = begin.starts_with("num_ranks") || begin.starts_with("//") || begin.starts_with("/*");
  if (goal) return read_goal_application(text, name);
  if (!begin.empty() && (begin[0] == '#' || (begin[0] >= '0' && begin[0] <= '9')))
    return read_smpi_application(text, name, how);
  throw Error(Error::Kind::format,
              fmt::format("{}: begins with {}; expected GOAL, which begins with num_ranks, or a trace of SMPI, whose "
                          "lines begin with a rank",
                          base::quoted(name, 200), base::quoted(begin.substr(0, 20))));
}

}  // namespace quadrille::interchange
