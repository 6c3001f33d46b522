#include "schedule/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::schedule {

namespace {

class TableSchedule final : public Schedule {
 public:
  explicit TableSchedule(Table table) : table_(std::move(table)) {}

  const Shape& shape() const override { return table_.shape; }
  void step(Round t, Rank r, Steps& out) const override {
    const std::vector<Entry>& entries = table_.ranks[static_cast<std::size_t>(r)];
    const auto found = std::lower_bound(entries.begin(), entries.end(), t,
                                        [](const Entry& entry, Round round) { return entry.round < round; });
    if (found == entries.end() || found->round != t) return;
    for (const Transfer& transfer : found->transfers) out.add(transfer);
  }
  Rounds active(Rank r) const override {
    const std::vector<Entry>& entries = table_.ranks[static_cast<std::size_t>(r)];
    return entries.empty() ? Rounds{0, 0} : Rounds{entries.front().round, entries.back().round + 1};
  }
  bool barrier(Round t) const override { return std::binary_search(table_.barriers.begin(), table_.barriers.end(), t); }
  Slot block(Buffer buffer, Slot label, Slot piece) const override {
    const BlockNames& names = buffer == Buffer::in ? table_.in : table_.out;
    if (buffer == Buffer::tmp || names.empty()) return label;
    return names[static_cast<std::size_t>(piece * table_.shape.blocks(buffer) + label)];
  }

 private:
  Table table_;
};

[[noreturn]] void refuse(Rank r, const std::string& why) {
  throw Error(Error::Kind::format, fmt::format("rank {}: {}", r, why));
}

bool inside(const Slots& s, Slot slots) {
  constexpr Slot most = Slot{1} << 40;
  const bool sizes = s.first >= 0 && s.size >= 1 && s.run >= 1 && s.stride >= 1 && s.first < most && s.run < most;
  if (!sizes || s.size >= most || s.stride >= most) return false;
  if (s.size > 1 && s.run < s.size && s.stride < s.run) return false;
  const Slot repeats = (s.size - 1) / s.run;
  return (repeats == 0 || s.stride <= most / repeats) && s.last() < slots;
}

void check_transfer(const Shape& shape, Rank r, Round t, const Transfer& x) {
  const auto fail = [&](const std::string& why) { refuse(r, fmt::format("round {}: {}", t, why)); };
  if (x.peer < 0 || x.peer >= shape.ranks)
    fail(fmt::format("peer {} does not exist; expected a rank from 0 to {}", x.peer, shape.ranks - 1));
  const auto check_slots = [&](Buffer buffer, const Slots& s) {
    if (!inside(s, shape.slots(buffer)))
      fail(
          fmt::format("slots [{}, {}, {}, {}] are not all there; expected [first, size, run, stride] among {} slots "
                      "of the buffer, with a stride of at least the run",
                      s.first, s.size, s.run, s.stride, shape.slots(buffer)));
  };
  check_slots(x.buffer, x.slots);
  if (x.combine.combines()) check_slots(x.combine.buffer, x.operand());
}

void check_entries(const Shape& shape, Rank r, const std::vector<Entry>& entries) {
  Round before = -1;
  for (const Entry& entry : entries) {
    if (entry.round < 0 || entry.round >= shape.rounds)
      refuse(r, fmt::format("round {} does not exist; expected 0 to {}", entry.round, shape.rounds - 1));
    if (entry.round == before) refuse(r, fmt::format("round {} comes twice; expected it once", entry.round));
    before = entry.round;
    for (const Transfer& x : entry.transfers) check_transfer(shape, r, entry.round, x);
  }
}

void check_names(const BlockNames& names, const Shape& shape, Buffer buffer, std::string_view what) {
  if (names.empty()) return;
  const Slot slots = shape.slots(buffer), blocks = shape.blocks(buffer);
  if (static_cast<Slot>(names.size()) != slots)
    throw Error(Error::Kind::format,
                fmt::format("blocks of {}: expected one for each of its {} slots, not {}", what, slots, names.size()));
  if (std::any_of(names.begin(), names.end(), [&](Slot name) { return name < 0 || name >= blocks; }))
    throw Error(Error::Kind::format, fmt::format("blocks of {}: expected numbers from 0 to {}", what, blocks - 1));
}

}  // namespace

Table checked(Table table) {
  if (static_cast<Rank>(table.ranks.size()) != table.shape.ranks)
    throw Error(Error::Kind::format,
                fmt::format("steps of {} ranks; expected {}", table.ranks.size(), table.shape.ranks));
  for (std::size_t r = 0; r < table.ranks.size(); ++r) {
    std::stable_sort(table.ranks[r].begin(), table.ranks[r].end(),
                     [](const Entry& a, const Entry& b) { return a.round < b.round; });
    check_entries(table.shape, static_cast<Rank>(r), table.ranks[r]);
  }
  std::sort(table.barriers.begin(), table.barriers.end());
  check_names(table.in, table.shape, Buffer::in, "in");
  check_names(table.out, table.shape, Buffer::out, "out");
  return table;
}

SchedulePtr of_table(Table table) { return std::make_shared<TableSchedule>(std::move(table)); }

BlockNames block_names(const Schedule& schedule, Buffer buffer) {
  BlockNames names;
  const Slot blocks = schedule.shape().blocks(buffer), slots = schedule.shape().slots(buffer);
  bool labels = true;
  for (Slot slot = 0; slot < slots; ++slot) {
    names.push_back(schedule.block(buffer, slot % blocks, slot / blocks));
    labels = labels && names.back() == slot % blocks;
  }
  return labels ? BlockNames{} : names;
}

Table table_of(const Schedule& schedule, std::int64_t most) {
  Table table{.shape = schedule.shape(), .ranks = {}};
  table.ranks.resize(static_cast<std::size_t>(table.shape.ranks));
  Collected collected;
  std::int64_t transfers = 0;
  for (Rank r = 0; r < table.shape.ranks; ++r) {
    const Schedule::Rounds active = schedule.active(r);
    for (Round t = active.first; t < active.end; ++t) {
      const std::vector<Transfer>& all = collected.all(schedule, t, r);
      transfers += std::ssize(all);
      if (transfers > most)
        throw Error(Error::Kind::budget,
                    fmt::format("more than {} transfers, which no table here holds; expected fewer ranks or a size "
                                "with fewer packets",
                                most));
      if (!all.empty()) table.ranks[static_cast<std::size_t>(r)].push_back({t, all});
    }
  }
  for (Round t = 0; t < table.shape.rounds; ++t)
    if (schedule.barrier(t)) table.barriers.push_back(t);
  table.in = block_names(schedule, Buffer::in);
  table.out = block_names(schedule, Buffer::out);
  return table;
}

}  // namespace quadrille::schedule
