#include "schedule/pipelined_ways.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace quadrille::schedule {

namespace {

/// One end of a message of a way.
struct WayEnd {
  std::int32_t peer, hop;  ///< ~peer: it comes from there; messages of its way before it
  Buffer buffer;
  std::int32_t label, first, parts;
};

class PipelinedWays final : public Schedule {
 public:
  PipelinedWays(const Shape& shape, std::int32_t parts, std::int32_t pieces, std::vector<std::vector<WayEnd>> ends)
      : shape_(shape), parts_(parts), pieces_(pieces), ends_(std::move(ends)) {}
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    for (const WayEnd& end : ends_[static_cast<std::size_t>(r)]) {
      const Slot piece = t - end.hop;
      if (piece < 0 || piece >= pieces_) continue;
      const Slot blocks = shape_.blocks(end.buffer), first = (piece * parts_ + end.first) * blocks + end.label;
      const bool sends = end.peer >= 0;
      out.add({sends ? Kind::send : Kind::recv,
               end.buffer,
               sends ? end.peer : ~end.peer,
               blocks == 1 ? contiguous(first, end.parts) : Slots{first, 1, blocks, end.parts},
               {}});
    }
  }
  Rounds active(Rank r) const override {
    const std::vector<WayEnd>& own = ends_[static_cast<std::size_t>(r)];
    if (own.empty()) return {0, 0};
    const auto [least, most] =
        std::minmax_element(own.begin(), own.end(), [](const WayEnd& a, const WayEnd& b) { return a.hop < b.hop; });
    return {least->hop, most->hop + pieces_};
  }

 private:
  Shape shape_;
  std::int32_t parts_, pieces_;
  std::vector<std::vector<WayEnd>> ends_;  ///< of every rank; those with a peer in the order of ways
};

/// Where parts stay on their way: of each rank as few labels as can be, those of one label have no part in common.
class Stays {
 public:
  explicit Stays(Rank ranks) : taken_(static_cast<std::size_t>(ranks)) {}
  /// Calls come in the order of first parts.
  std::int32_t label(std::int32_t rank, std::int32_t first, std::int32_t parts) {
    std::vector<std::int32_t>& ends = taken_[static_cast<std::size_t>(rank)];
    auto free = std::find_if(ends.begin(), ends.end(), [&](std::int32_t end) { return end <= first; });
    if (free == ends.end()) free = ends.insert(free, 0);
    *free = first + parts;
    return static_cast<std::int32_t>(free - ends.begin());
  }
  Slot most() const {
    std::size_t most = 0;
    for (const std::vector<std::int32_t>& ends : taken_) most = std::max(most, ends.size());
    return static_cast<Slot>(most);
  }

 private:
  std::vector<std::vector<std::int32_t>> taken_;  ///< of every rank and label: up to which part
};

}  // namespace

SchedulePtr pipelined_ways(Rank ranks, Bytes block, std::int32_t parts, std::int32_t pieces,
                           const std::vector<PartsWay>& ways) {
  std::vector<const PartsWay*> by_part;
  for (const PartsWay& way : ways) by_part.push_back(&way);
  std::stable_sort(by_part.begin(), by_part.end(),
                   [](const PartsWay* a, const PartsWay* b) { return a->first < b->first; });
  Stays stays(ranks);
  std::vector<std::vector<WayEnd>> ends(static_cast<std::size_t>(ranks));
  std::int32_t longest = 0;
  for (const PartsWay* way : by_part) {
    const std::vector<std::int32_t>& met = way->ranks;
    Buffer buffer = Buffer::in;
    std::int32_t label = met.back();
    longest = std::max(longest, static_cast<std::int32_t>(met.size()) - 1);
    for (std::size_t i = 1; i < met.size(); ++i) {
      const auto hop = static_cast<std::int32_t>(i) - 1;
      ends[static_cast<std::size_t>(met[i - 1])].push_back({met[i], hop, buffer, label, way->first, way->parts});
      const bool last = i + 1 == met.size();
      buffer = last ? Buffer::out : Buffer::tmp;
      label = last ? met.front() : stays.label(met[i], way->first, way->parts);
      ends[static_cast<std::size_t>(met[i])].push_back({~met[i - 1], hop, buffer, label, way->first, way->parts});
    }
  }
  for (std::vector<WayEnd>& own : ends)
    std::stable_sort(own.begin(), own.end(), [](const WayEnd& a, const WayEnd& b) { return a.peer < b.peer; });
  const Shape shape{.ranks = ranks,
                    .rounds = longest + pieces - 1,
                    .in = ranks,
                    .out = ranks,
                    .tmp = stays.most(),
                    .cut = {.bytes = block, .parts = Slot{parts} * pieces}};
  return std::make_shared<PipelinedWays>(shape, parts, pieces, std::move(ends));
}

}  // namespace quadrille::schedule
