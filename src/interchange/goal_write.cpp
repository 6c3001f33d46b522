// Schedules as GOAL: an operation for each message, the rest in comments.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.hpp"
#include "interchange/goal.hpp"
#include "interchange/json_parts.hpp"
#include "interchange/slot_uses.hpp"

namespace quadrille::interchange {

namespace {

/// One rank's operations: a message each, and one for what it moves within its own memory in a round.
class GoalRank {
 public:
  GoalRank(const Schedule& schedule, Rank rank, GoalOrder order) : schedule_(schedule), rank_(rank), order_(order) {}

  void append_round(Round t, std::string& text) {
    const std::vector<Transfer>& all = collected_.all(schedule_, t, rank_);
    if (all.empty()) return;
    const std::vector<Summary::Message>& messages = summary_.of(schedule_, t, rank_);
    std::vector<std::string> labels;
    for (const Transfer& x : all) fmt::format_to(std::back_inserter(text), "// {} {}\n", t, transfer_text(x));
    for (const Summary::Message& m : messages) {
      if (m.peer == rank_ && m.kind == Kind::recv) continue;  // the same as what it sends to itself
      labels.push_back(append_operation(t, m, text));
      for (const std::string& before : waits(all, m)) line(text, "{} requires {}\n", labels.back(), before);
    }
    if (order_ == GoalOrder::rounds) return join(t, labels, text);
    for (std::size_t i = 0, n = 0; i < messages.size(); ++i)
      if (messages[i].peer != rank_ || messages[i].kind == Kind::send) note(all, messages[i], labels[n++]);
    uses_.end_round();
  }
  std::int64_t sent() const { return sent_; }

 private:
  template <class... Values>
  static void line(std::string& text, fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text), format, values...);
  }

  std::string append_operation(Round t, const Summary::Message& m, std::string& text) {
    if (m.peer == rank_) {
      std::string label = fmt::format("c{}", t);
      line(text, "{}: calc 0\n", label);
      return label;
    }
    const bool sends = m.kind == Kind::send;
    std::string label = fmt::format("{}{}_{}", sends ? 's' : 'r', t, m.peer);
    sent_ += sends;
    line(text, "{}: {} {}b {} {} tag {}\n", label, sends ? "send" : "recv", m.bytes, sends ? "to" : "from", m.peer, t);
    return label;
  }

  /// Slots that a message reads and writes at this rank; a local move has both.
  /// Transfers of the message at this rank. One to itself is both.
  auto of(const Summary::Message& m) const {
    return [this, m](const Transfer& x) { return x.peer == m.peer && (x.kind == m.kind || m.peer == rank_); };
  }

  std::set<std::string> waits(const std::vector<Transfer>& all, const Summary::Message& m) const {
    std::set<std::string> before;
    if (order_ == GoalOrder::rounds) {
      if (!joint_.empty()) before.insert(joint_);
      return before;
    }
    for_each_use(all, of(m),
                 [&](Buffer buffer, Slot slot, bool writes) { uses_.wait_for(buffer, slot, writes, before); });
    return before;
  }

  void note(const std::vector<Transfer>& all, const Summary::Message& m, const std::string& label) {
    for_each_use(all, of(m), [&](Buffer buffer, Slot slot, bool writes) { uses_.note(buffer, slot, writes, label); });
  }

  /// An operation that ends the round, for which all of the next one wait.
  void join(Round t, const std::vector<std::string>& labels, std::string& text) {
    joint_ = fmt::format("j{}", t);
    line(text, "{}: calc 0\n", joint_);
    for (const std::string& label : labels) line(text, "{} requires {}\n", joint_, label);
  }

  const Schedule& schedule_;
  Rank rank_;
  GoalOrder order_;
  Collected collected_;
  Summary summary_;
  SlotUses<std::string> uses_;
  std::string joint_;
  std::int64_t sent_ = 0;
};

void check_no_barrier(const Schedule& schedule) {
  for (Round t = 0; t < schedule.shape().rounds; ++t)
    if (schedule.barrier(t))
      throw Error(Error::Kind::illegal,
                  fmt::format("GOAL has no barriers, and round {} begins with one; expected an algorithm without", t));
}

}  // namespace

std::int64_t write_goal(const Written& w, const TextSink& sink, GoalOrder order) {
  check_ranks_only(w.spec, "GOAL");
  check_no_barrier(w.schedule);
  constexpr std::size_t flush = 1 << 16;
  const Shape& shape = w.schedule.shape();
  std::string text = fmt::format("num_ranks {}\n", shape.ranks);
  std::int64_t messages = 0;
  for (Rank r = 0; r < shape.ranks; ++r) {
    fmt::format_to(std::back_inserter(text), "rank {} {{\n", r);
    // Inside of a rank, because readers take comments only there.
    if (r == 0) fmt::format_to(std::back_inserter(text), "// quadrille {}\n", head_json(w).dump());
    GoalRank rank(w.schedule, r, order);
    const Schedule::Rounds active = w.schedule.active(r);
    for (Round t = active.first; t < active.end; ++t) {
      rank.append_round(t, text);
      if (text.size() >= flush) sink(text), text.clear();
    }
    text += "}\n";
    messages += rank.sent();
  }
  sink(text);
  return messages;
}

}  // namespace quadrille::interchange
