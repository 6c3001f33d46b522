// Execution plans of MSCCL++, read: puts and what is combined of them become what ranks send and receive in rounds.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "interchange/mscclpp_run.hpp"

namespace quadrille::interchange {

namespace {

class PlanTable {
 public:
  explicit PlanTable(PlanText plan) : plan_(std::move(plan)) {}

  ScheduleFile take() {
    make_plan_shape();
    std::size_t order = 0;
    for (PlanMove& move : run_plan(plan_)) {
      move.round += copied_ ? 1 : 0;
      add(move, order++);
    }
    for (const auto& [where, landed] : landed_) check_taken(where, landed);
    if (copied_) copy_vectors();
    emit();
    return std::move(file_);
  }

 private:
  struct Place {
    Buffer buffer = Buffer::in;
    Slot slot = 0;
  };
  /// A chunk of a message; `again` takes the same one as the item before it.
  struct Item {
    Place from = {}, to = {}, with = {};
    Combine::Incoming incoming = Combine::Incoming::stored;
    bool again = false;
  };
  struct Message {
    std::vector<Item> items = {};
    std::size_t sent = 0, received = 0;  ///< in which order among others of its rank
    bool combined = false;
  };
  struct Landed {
    std::tuple<Round, Rank, Rank> message;
    std::size_t item = 0;
    bool taken = true;
  };
  static void check_taken(const std::pair<Rank, Slot>& where, const Landed& landed) {
    if (landed.taken) return;
    throw Error(
        Error::Kind::format,
        fmt::format("gpu {}: what lands in chunk {} of scratch is not used in its round; expected a copy or a re "
                    "of it",
                    where.first, where.second));
  }

  /// How blocks are cut, by the head or by the numbers of chunks.
  void make_plan_shape() {
    const auto ranks = static_cast<Rank>(plan_.gpus.size());
    if (plan_.head)
      take_head(ranks);
    else
      guess(ranks);
    const Shape& shape = file_.table.shape;
    const Collective kind = plan_.kind.collective;
    const bool own = kind == Collective::allgather || kind == Collective::bcast;
    const Slot in = (own ? 1 : shape.in) * pieces_;
    const Slot out = kind == Collective::reduce_scatter ? pieces_ : shape.out * pieces_;
    for (const PlanGpuText& gpu : plan_.gpus)
      if (gpu.in != in || gpu.out != out)
        throw Error(Error::Kind::format,
                    fmt::format("chunks of input and output: {} and {}; expected {} and {} for {} of {} gpus", gpu.in,
                                gpu.out, in, out, plan_.kind.name, ranks));
    file_.form = "a plan of MSCCL++";
  }
  void guess(Rank ranks) {
    const Collective kind = plan_.kind.collective;
    const PlanGpuText& first = plan_.gpus.front();
    const bool whole = kind == Collective::allreduce || kind == Collective::bcast;
    pieces_ = kind == Collective::reduce_scatter ? first.out
              : kind == Collective::alltoall     ? first.in / ranks
                                                 : first.in;
    pieces_ = std::max<Slot>(1, pieces_);
    file_.collective = kind;
    file_.ranks = ranks;
    Shape& shape = file_.table.shape;
    shape.ranks = ranks;
    shape.cut.parts = pieces_;
    shape.out = whole ? 1 : ranks;
    shape.in = kind == Collective::bcast || kind == Collective::allgather ? 0 : whole ? 1 : ranks;
    for (const PlanGpuText& gpu : plan_.gpus) scratch_ = std::max(scratch_, gpu.scratch);
    copied_ = plan_.in_place && shape.in > 0;
    shape.tmp = scratch_ + (copied_ ? first.in : 0);
  }
  void take_head(Rank ranks) {
    file_ = *plan_.head;
    file_.table.in.clear(), file_.table.out.clear();  // chunks are in the order of blocks
    if (plan_.in_place != plan_.kind.in_place)
      throw base::wrong_member("inplace", fmt::format("{} for {}", plan_.kind.in_place, plan_.kind.name));
    if (file_.collective != plan_.kind.collective || file_.ranks != ranks)
      throw base::wrong_member("quadrille", "the collective and the ranks of the plan");
    pieces_ = file_.table.shape.cut.pieces();
    scratch_ = file_.table.shape.slots(Buffer::tmp);
    if (pieces_ < 1) throw base::wrong_member("quadrille", "blocks that are cut in pieces");
  }

  /// Own blocks of an allgather and a broadcast are in place in `out`.
  Place place(const PlanRef& run, Slot i) const {
    const Collective kind = plan_.kind.collective;
    const Slot at = run.chunk.at + i;
    if (run.chunk.buffer == 's' && plan_.head) return {Buffer::tmp, slot(Buffer::tmp, at)};
    if (run.chunk.buffer == 's') return in_scratch(at, piece_of(run, i));
    if (copied_) return in_scratch(scratch_ + at, at % pieces_);
    const bool own = kind == Collective::allgather || kind == Collective::bcast;
    if (run.chunk.buffer == 'i' && !own) return {Buffer::in, slot(Buffer::in, at)};
    const bool shifted =
        kind == Collective::reduce_scatter || (kind == Collective::allgather && run.chunk.buffer == 'i');
    return {Buffer::out, slot(Buffer::out, shifted ? at + run.rank * pieces_ : at)};
  }
  /// A chunk of scratch may have any piece of a block: here each has a slot for every piece.
  Place in_scratch(Slot chunk, Slot piece) const { return {Buffer::tmp, piece * file_.table.shape.tmp + chunk}; }
  Slot piece_of(const PlanRef& run, Slot i) const {
    const Slot at = run.chunk.at + i;
    if (run.chunk.buffer != 's') return at % pieces_;
    const auto found = held_.find({run.rank, at});
    return found == held_.end() ? 0 : found->second;
  }
  /// A reduction in place works on a copy, as contributions here stay what they are: one round more at each end.
  void copy_vectors() {
    Round last = 0;
    for (const auto& [key, m] : messages_) last = std::max(last, std::get<0>(key));
    const bool whole = plan_.kind.collective == Collective::allreduce;
    for (Rank r = 0; r < file_.ranks; ++r) {
      Message &first = message(0, r, r, 0), &result = message(last + 1, r, r, 0);
      for (Slot c = 0; c < plan_.gpus.front().in; ++c)
        first.items.push_back({.from = {Buffer::in, slot(Buffer::in, c)}, .to = in_scratch(scratch_ + c, c % pieces_)});
      for (Slot c = whole ? 0 : r * pieces_; c < (whole ? plan_.gpus.front().in : (r + 1) * pieces_); ++c)
        result.items.push_back(
            {.from = in_scratch(scratch_ + c, c % pieces_), .to = {Buffer::out, slot(Buffer::out, c)}});
    }
  }
  Slot slot(Buffer buffer, Slot chunk) const {
    return chunk % pieces_ * file_.table.shape.blocks(buffer) + chunk / pieces_;
  }
  bool lands(const PlanRef& run, Slot i) const { return run.chunk.buffer == 's' && run.chunk.at + i >= scratch_; }

  Message& message(Round t, Rank from, Rank to, std::size_t order) {
    const auto [at, added] = messages_.try_emplace({t, from, to});
    if (added) at->second.sent = at->second.received = order;
    return at->second;
  }

  void add(const PlanMove& m, std::size_t order) {
    if (own_block(m)) return;
    if (m.round < 0)
      throw Error(Error::Kind::format,
                  fmt::format("gpu {}: a move before the first round; expected round 0 or later", m.gpu));
    for (Slot i = 0; i < m.to().count; ++i) {
      if (lands(m.to(), i) && m.from().rank != m.to().rank)
        land(m, i, order);
      else if (lands(m.from(), i))
        use_landed(m, i, order);
      else if (lands(m.to(), i) || (m.operand() != nullptr && lands(*m.operand(), i)))
        throw Error(Error::Kind::format,
                    fmt::format("gpu {}: chunk {} of scratch is for what comes in; expected those below {}", m.gpu,
                                m.to().chunk.at + i, scratch_));
      else
        message(m.round, m.from().rank, m.to().rank, order).items.push_back(item(m, i));
    }
  }
  Item item(const PlanMove& m, Slot i) {
    Item one{.from = lands(m.from(), i) ? Place{} : place(m.from(), i)};
    const Place with = m.operand() == nullptr ? Place{} : place(*m.operand(), i);
    if (m.to().chunk.buffer == 's') held_[{m.to().rank, m.to().chunk.at + i}] = piece_of(m.from(), i);
    one.to = place(m.to(), i);
    if (m.operand() == nullptr) return one;
    one.with = with;
    one.incoming = m.step->left ? Combine::Incoming::left : Combine::Incoming::right;
    return one;
  }
  void land(const PlanMove& m, Slot i, std::size_t order) {
    Message& into = message(m.round, m.gpu, m.to().rank, order);
    const std::pair<Rank, Slot> where{m.to().rank, m.to().chunk.at + i};
    Landed& landed = landed_[where];
    check_taken(where, landed);
    landed = {{m.round, m.gpu, m.to().rank}, into.items.size(), false};
    into.items.push_back({.from = place(m.from(), i)});
  }
  void use_landed(const PlanMove& m, Slot i, std::size_t order) {
    const auto found = landed_.find({m.gpu, m.from().chunk.at + i});
    if (found == landed_.end() || std::get<0>(found->second.message) != m.round)
      throw Error(Error::Kind::format,
                  fmt::format("gpu {}: chunk {} of scratch is used in round {}, in which nothing lands there", m.gpu,
                              m.from().chunk.at + i, m.round));
    Landed& landed = found->second;
    Message& into = messages_.at(landed.message);
    Item now = item(m, i);
    now.from = into.items[landed.item].from;
    if (!into.combined) into.received = order, into.combined = true;
    if (!landed.taken) {
      into.items[landed.item] = now;
      landed.taken = true;
      return;
    }
    now.again = true;
    later_[landed.message].push_back({landed.item, now});
  }

  /// A copy of what is in place before the schedule begins, and for a single rank at its end.
  bool own_block(const PlanMove& m) const {
    if (m.step->name != "copy") return false;
    if (file_.ranks == 1) return m.from().chunk == Chunk{'i', 0} && m.to().chunk == Chunk{'o', 0};
    if (plan_.kind.collective != Collective::alltoall) return false;
    const Slot own = m.gpu * pieces_;
    return m.from().chunk.buffer == 'i' && m.to().chunk.buffer == 'o' && m.from().chunk.at == m.to().chunk.at &&
           m.from().chunk.at >= own && m.from().chunk.at + m.from().count <= own + pieces_;
  }

  void emit() {
    for (auto& [key, more] : later_) {  // from the last one, so that places in front stay
      std::stable_sort(more.begin(), more.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      std::vector<Item>& items = messages_.at(key).items;
      for (auto one = more.rbegin(); one != more.rend(); ++one)
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(one->first) + 1, one->second);
    }
    schedule::Table& table = file_.table;
    table.ranks.resize(static_cast<std::size_t>(file_.ranks));
    std::map<std::pair<Rank, Round>, std::vector<std::pair<std::size_t, std::vector<Transfer>>>> parts;
    for (const auto& [key, m] : messages_) {
      const auto [t, from, to] = key;
      table.shape.rounds = std::max(table.shape.rounds, t + 1);
      parts[{from, t}].push_back({m.sent, segments(m, Kind::send, to)});
      parts[{to, t}].push_back({m.received, segments(m, Kind::recv, from)});
    }
    for (auto& [key, list] : parts) {
      std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      schedule::Entry entry{key.second, {}};
      for (const auto& [order, transfers] : list)
        entry.transfers.insert(entry.transfers.end(), transfers.begin(), transfers.end());
      table.ranks[static_cast<std::size_t>(key.first)].push_back(std::move(entry));
    }
    table = schedule::checked(std::move(table));
  }

  /// As few segments as there are rows of slots that follow each other at one distance.
  static std::vector<Transfer> segments(const Message& m, Kind kind, Rank peer) {
    std::vector<Transfer> all;
    for (const Item& item : m.items) {
      const bool sends = kind == Kind::send;
      if (sends && item.again) continue;
      const Place& at = sends ? item.from : item.to;
      Combine combine;
      if (!sends && item.incoming != Combine::Incoming::stored)
        combine = {item.incoming, item.again, item.with.buffer, item.with.slot};
      combine.again = !sends && item.again;
      if (all.empty() || !extend(all.back(), at, combine))
        all.push_back({kind, at.buffer, peer, contiguous(at.slot, 1), combine});
    }
    return all;
  }
  static bool extend(Transfer& last, const Place& at, const Combine& combine) {
    if (last.buffer != at.buffer || last.combine.again || combine.again || last.combine.incoming != combine.incoming ||
        last.combine.buffer != combine.buffer)
      return false;
    const Slot size = last.slots.size, distance = at.slot - last.slots.last();
    if (distance < 1 || (size > 1 && distance != last.slots[1] - last.slots[0])) return false;
    if (combine.combines() && combine.with - last.combine.with != size * distance) return false;
    last.slots =
        distance == 1 ? contiguous(last.slots.first, size + 1) : Slots{last.slots.first, 1, distance, size + 1};
    return true;
  }

  PlanText plan_;
  ScheduleFile file_;
  bool copied_ = false;            ///< a reduction in place, on a copy
  Slot pieces_ = 1, scratch_ = 0;  ///< scratch_: chunks that are of the schedule; behind them is what comes in
  std::map<std::tuple<Round, Rank, Rank>, Message> messages_;
  std::map<std::tuple<Round, Rank, Rank>, std::vector<std::pair<std::size_t, Item>>> later_;
  std::map<std::pair<Rank, Slot>, Landed> landed_;
  std::map<std::pair<Rank, Slot>, Slot> held_;  ///< of chunks of scratch, which piece
};

}  // namespace

bool is_mscclpp(const Json& json) { return json.is_object() && json.contains("gpus") && json.contains("protocol"); }

ScheduleFile read_mscclpp(const Json& json, const std::string& name) {
  return PlanTable(parse_plan(json, name)).take();
}

}  // namespace quadrille::interchange
