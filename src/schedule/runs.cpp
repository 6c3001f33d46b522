#include "schedule/runs.hpp"

#include <algorithm>
#include <tuple>

namespace quadrille::schedule {

namespace {

class OfRuns final : public Schedule {
 public:
  OfRuns(const Shape& shape, const std::vector<PieceRun>& runs)
      : shape_(shape), ends_(static_cast<std::size_t>(shape.ranks)) {
    shape_.rounds = 0;
    for (const PieceRun& run : runs) {
      ends_[static_cast<std::size_t>(run.from)].push_back({run.round, run.to, run.label, run.first, run.pieces});
      ends_[static_cast<std::size_t>(run.to)].push_back({run.round, ~run.from, run.label, run.first, run.pieces});
      shape_.rounds = std::max<Round>(shape_.rounds, run.round + 1);
    }
    for (std::vector<End>& own : ends_)
      std::sort(own.begin(), own.end(), [](const End& a, const End& b) {
        return std::tie(a.round, a.peer, a.label, a.first) < std::tie(b.round, b.peer, b.label, b.first);
      });
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const std::vector<End>& own = ends_[static_cast<std::size_t>(r)];
    const Slot blocks = shape_.out;
    for (auto end = std::lower_bound(own.begin(), own.end(), t, [](const End&e, Round at) { return e.round < at; });
         end != own.end() && end->round == t; ++end) {
      const Slot first = end->first * blocks + end->label;
      const Slots slots = blocks == 1 ? contiguous(first, end->pieces) : Slots{first, 1, blocks, end->pieces};
      const bool sends = end->peer >= 0;
      out.add({sends ? Kind::send : Kind::recv, Buffer::out, sends ? end->peer : ~end->peer, slots, {}});
    }
  }
  Rounds active(Rank r) const override {
    const std::vector<End>& own = ends_[static_cast<std::size_t>(r)];
    return own.empty() ? Rounds{0, 0} : Rounds{own.front().round, own.back().round + 1};
  }

 private:
  /// A run at the rank that sends it, or at the one that it comes to, which has ~peer.
  struct End {
    std::int32_t round, peer, label;
    std::int64_t first, pieces;
  };

  Shape shape_;
  std::vector<std::vector<End>> ends_;  ///< of every rank, in the order of rounds
};

}  // namespace

SchedulePtr of_runs(const Shape& shape, const std::vector<PieceRun>& runs) {
  return std::make_shared<OfRuns>(shape, runs);
}

}  // namespace quadrille::schedule
