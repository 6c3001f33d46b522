#include "schedule/rounds.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace quadrille::schedule {

namespace {

class OfHandovers final : public Schedule {
 public:
  OfHandovers(const Shape& shape, const std::vector<Handover>& handovers)
      : shape_(shape), first_(static_cast<std::size_t>(shape.ranks) + 1, 0) {
    shape_.rounds = 0;
    std::vector<Line> lines;
    lines.reserve(2 * handovers.size());
    for (const Handover& h : handovers) {
      const std::int32_t target = h.target < 0 ? h.slot : h.target;
      const Key key{h.source, h.slot};  // both ends list the slots of a message by the sender's
      lines.push_back({h.from, h.round, h.to, key, {h.to, h.slot, h.slots, h.source}});
      lines.push_back({h.to, h.round, ~h.from, key, {~h.from, target, h.slots, h.arrival}});
      shape_.rounds = std::max<Round>(shape_.rounds, h.round + 1);
    }
    lines = grouped(std::move(lines), shape_.rounds, [](const Line& line) { return line.round; });
    lines = grouped(std::move(lines), shape.ranks, [](const Line& line) { return line.rank; });
    parts_.reserve(lines.size());
    for (std::size_t i = 0, end = 0; i < lines.size(); i = end) {
      while (end < lines.size() && lines[end].rank == lines[i].rank && lines[end].round == lines[i].round) ++end;
      std::sort(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.begin() + static_cast<std::ptrdiff_t>(end));
      steps_.push_back({lines[i].round, static_cast<std::uint32_t>(i)});
      ++first_[static_cast<std::size_t>(lines[i].rank) + 1];
      for (std::size_t k = i; k < end; ++k) parts_.push_back(lines[k].part);
    }
    for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
    steps_.push_back({0, static_cast<std::uint32_t>(parts_.size())});
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto first = steps_.begin() + first_[static_cast<std::size_t>(r)],
               end = steps_.begin() + first_[static_cast<std::size_t>(r) + 1];
    const auto found =
        std::lower_bound(first, end, t, [](const Step& step, Round round) { return step.round < round; });
    if (found == end || found->round != t) return;
    const auto all = std::span(parts_).subspan(found->first, (found + 1)->first - found->first);
    const std::optional<Rank> peer = out.only_peer();
    if (!peer) return hand_on(all, out);
    hand_on(with(all, ~*peer), out);
    hand_on(with(all, *peer), out);
  }
  Rounds active(Rank r) const override {
    const std::int32_t first = first_[static_cast<std::size_t>(r)], end = first_[static_cast<std::size_t>(r) + 1];
    if (first == end) return {0, 0};
    return {steps_[static_cast<std::size_t>(first)].round, steps_[static_cast<std::size_t>(end) - 1].round + 1};
  }

 private:
  using Key = std::pair<Buffer, std::int32_t>;
  struct Part {
    std::int32_t peer, slot, slots;  ///< ~peer: what comes from there
    Buffer buffer;
  };
  struct Line {
    std::int32_t rank, round, peer;
    Key key;
    Part part;
    /// In one step.
    bool operator<(const Line& other) const { return std::tie(peer, key) < std::tie(other.peer, other.key); }
  };
  /// In the order of keys from 0 to `count`, those of one key in the order in which they came.
  template <class KeyOf>
  static std::vector<Line> grouped(std::vector<Line> lines, std::int64_t count, KeyOf key_of) {
    const auto earlier = [&](const Line& a, const Line& b) { return key_of(a) < key_of(b); };
    if (std::is_sorted(lines.begin(), lines.end(), earlier)) return lines;
    std::vector<std::size_t> next(static_cast<std::size_t>(count) + 1, 0);
    for (const Line& line : lines) ++next[static_cast<std::size_t>(key_of(line)) + 1];
    for (std::size_t key = 1; key < next.size(); ++key) next[key] += next[key - 1];
    std::vector<Line> all(lines.size());
    for (const Line& line : lines) all[next[static_cast<std::size_t>(key_of(line))]++] = line;
    return all;
  }
  struct Step {
    std::int32_t round;
    std::uint32_t first;  ///< in parts_
  };
  using Parts = std::span<const Part>;
  /// Those of a step that are with one peer: they lie side by side.
  static Parts with(Parts parts, Rank peer) {
    const auto found = std::equal_range(parts.begin(), parts.end(), Part{static_cast<std::int32_t>(peer), 0, 0, {}},
                                        [](const Part& a, const Part& b) { return a.peer < b.peer; });
    return {found.first, found.second};
  }
  void hand_on(Parts parts, Steps& out) const {
    for (std::size_t i = 0, next = 0; i < parts.size(); i = next) {
      Slot size = parts[i].slots;
      while (++next < parts.size() && follows(parts[next - 1], parts[next])) size += parts[next].slots;
      const auto& [peer, slot, slots, buffer] = parts[i];
      out.add({peer >= 0 ? Kind::send : Kind::recv, buffer, peer >= 0 ? peer : ~peer, contiguous(slot, size), {}});
    }
  }
  /// Slots of one piece that lie side by side are one segment.
  bool follows(const Part& before, const Part& part) const {
    return part.peer == before.peer && part.buffer == before.buffer && part.slot == before.slot + before.slots &&
           part.slot % shape_.blocks(part.buffer) != 0;
  }

  Shape shape_;
  std::vector<std::int32_t> first_;  ///< of each rank in steps_
  std::vector<Step> steps_;
  std::vector<Part> parts_;
};

}  // namespace

SchedulePtr of_handovers(const Shape& shape, const std::vector<Handover>& handovers) {
  return std::make_shared<OfHandovers>(shape, handovers);
}

}  // namespace quadrille::schedule
