#include "schedule/pipelined_ways.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace quadrille::schedule {

namespace {

/// One end of a message of a way.
struct WayEnd {
  std::int32_t peer = 0, hop = 0;  ///< ~peer: it comes from there; messages of its way before it
  std::int32_t first = 0, parts = 1;
  Buffer buffer = Buffer::in;
  Slot label = 0;
};
using WayEnds = std::vector<std::vector<WayEnd>>;  ///< of every rank

class PipelinedWays final : public Schedule {
 public:
  PipelinedWays(Shape shape, std::int32_t parts, std::int32_t pieces, WayEnds ends, PieceOrder order)
      : shape_(std::move(shape)), parts_(parts), pieces_(pieces), ends_(std::move(ends)), order_(order) {
    for (std::vector<WayEnd>& own : ends_) {
      std::stable_sort(own.begin(), own.end(), [](const WayEnd& a, const WayEnd& b) { return a.peer < b.peer; });
      for (const WayEnd& end : own) last_hop_ = std::max(last_hop_, end.hop);
    }
    shape_.rounds = last_hop_ < 0 ? 0 : last_hop_ + Round{pieces};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    for (const WayEnd& end : ends_[static_cast<std::size_t>(r)]) {
      const Round before = t - end.hop;
      if (before < 0 || before >= pieces_) continue;
      const Round piece = order_ == PieceOrder::first_to_last ? before : pieces_ - 1 - before;
      const bool sends = end.peer >= 0;
      out.add({sends ? Kind::send : Kind::recv, end.buffer, sends ? end.peer : ~end.peer, slots_of(end, piece), {}});
    }
  }
  Rounds active(Rank r) const override {
    const std::vector<WayEnd>& own = ends_[static_cast<std::size_t>(r)];
    if (own.empty()) return {0, 0};
    const auto [least, most] =
        std::minmax_element(own.begin(), own.end(), [](const WayEnd& a, const WayEnd& b) { return a.hop < b.hop; });
    return {least->hop, most->hop + Round{pieces_}};
  }

  /// Those in which every hop has a piece, and all pieces are long ones or all short ones.
  Rounds alike(Round t) const override {
    if (shape_.offsets || t < last_hop_ || t >= pieces_) return {t, t + 1};
    const Slot long_slots = shape_.cut.bytes % shape_.cut.parts;
    const Round long_pieces = long_slots / parts_, part_long = long_slots % parts_ == 0 ? 0 : 1;
    const bool forwards = order_ == PieceOrder::first_to_last;
    const Round before = forwards ? long_pieces : pieces_ - long_pieces - part_long;  // that leave first
    if (t < before) return {last_hop_, std::min<Round>(before, pieces_)};
    const Round after = before + part_long + last_hop_;
    return t < after ? Rounds{t, t + 1} : Rounds{std::max<Round>(after, last_hop_), pieces_};
  }

 private:
  Slots slots_of(const WayEnd& end, Round piece) const {
    const Slot blocks = shape_.blocks(end.buffer), first = (piece * parts_ + end.first) * blocks + end.label;
    return blocks == 1 ? contiguous(first, end.parts) : Slots{first, 1, blocks, end.parts};
  }

  Shape shape_;
  std::int32_t parts_, pieces_;
  WayEnds ends_;  ///< those with a peer in the order of ways
  std::int32_t last_hop_ = -1;
  PieceOrder order_;
};

/// One message of a way: what its ends are told.
struct WayHop {
  WayEnd sent, taken;
};
/// Both ends of all messages, which list what they consist of in the order of the sender's memory.
WayEnds by_ranks(Rank ranks, std::vector<WayHop> hops) {
  std::stable_sort(hops.begin(), hops.end(), [](const WayHop& a, const WayHop& b) {
    const auto place = [](const WayEnd& end) { return std::tie(end.buffer, end.label, end.first); };
    return place(a.sent) < place(b.sent);
  });
  WayEnds ends(static_cast<std::size_t>(ranks));
  for (const WayHop& hop : hops) {
    ends[static_cast<std::size_t>(~hop.taken.peer)].push_back(hop.sent);
    ends[static_cast<std::size_t>(hop.sent.peer)].push_back(hop.taken);
  }
  return ends;
}

/// `stay` says where parts of a way are kept at a rank in between.
template <class Stay>
std::vector<WayHop> hops_of(const std::vector<const PartsWay*>& ways, Stay stay) {
  std::vector<WayHop> hops;
  for (const PartsWay* way : ways) {
    const std::vector<std::int32_t>& met = way->ranks;
    WayEnd sent{met[1], 0, way->first, way->parts, Buffer::in, way->leaves};
    for (std::size_t i = 1; i < met.size(); ++i) {
      const bool last = i + 1 == met.size();
      sent.peer = met[i], sent.hop = static_cast<std::int32_t>(i) - 1;
      WayEnd taken = sent;
      taken.peer = ~met[i - 1];
      taken.buffer = last ? Buffer::out : Buffer::tmp;
      taken.label = last ? way->arrives : stay(static_cast<std::size_t>(met[i]), *way);
      hops.push_back({sent, taken});
      sent.buffer = taken.buffer, sent.label = taken.label;
    }
  }
  return hops;
}

SchedulePtr pipelined(Shape shape, std::int32_t parts, std::int32_t pieces, std::vector<WayHop> hops,
                      PieceOrder order = PieceOrder::first_to_last) {
  shape.cut = {.bytes = shape.cut.bytes, .parts = Slot{parts} * pieces};
  WayEnds ends = by_ranks(shape.ranks, std::move(hops));
  return std::make_shared<PipelinedWays>(std::move(shape), parts, pieces, std::move(ends), order);
}

}  // namespace

SchedulePtr pipelined_ways(Shape shape, std::int32_t parts, std::int32_t pieces, const std::vector<PartsWay>& ways) {
  std::vector<const PartsWay*> by_part;
  for (const PartsWay& way : ways) by_part.push_back(&way);
  std::stable_sort(by_part.begin(), by_part.end(),
                   [](const PartsWay* a, const PartsWay* b) { return a->first < b->first; });
  // Of each rank as few labels as can be: those of one have no part in common.
  std::vector<std::vector<std::int32_t>> taken(static_cast<std::size_t>(shape.ranks));  // up to which part
  shape.tmp = 0;
  std::vector<WayHop> hops = hops_of(by_part, [&](std::size_t rank, const PartsWay& way) {
    std::vector<std::int32_t>& until = taken[rank];
    auto free = std::find_if(until.begin(), until.end(), [&](std::int32_t part) { return part <= way.first; });
    if (free == until.end()) free = until.insert(free, 0);
    *free = way.first + way.parts;
    shape.tmp = std::max(shape.tmp, static_cast<Slot>(until.size()));
    return static_cast<Slot>(free - until.begin());
  });
  return pipelined(std::move(shape), parts, pieces, std::move(hops));
}

SchedulePtr pipelined_trees(Shape shape, std::int32_t parts, std::int32_t pieces, const std::vector<PartsTree>& trees,
                            PieceOrder order) {
  std::vector<WayHop> hops;
  for (const PartsTree& tree : trees)
    for (std::size_t r = 0; r < tree.parent.size(); ++r) {
      if (tree.parent[r] < 0) continue;
      WayEnd sent{static_cast<std::int32_t>(r), -1, tree.first, tree.parts, Buffer::out, tree.label};
      for (std::int32_t above = tree.parent[r]; above >= 0; above = tree.parent[static_cast<std::size_t>(above)])
        ++sent.hop;
      WayEnd taken = sent;
      taken.peer = ~tree.parent[r];
      hops.push_back({sent, taken});
    }
  return pipelined(std::move(shape), parts, pieces, std::move(hops), order);
}

}  // namespace quadrille::schedule
