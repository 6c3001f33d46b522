// Schedules that are no collectives: messages back and forth, whose times are those of the executors that perform
// plans.
#pragma once

#include <utility>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::tuner {

using Edge = std::pair<Rank, Rank>;  ///< from, to

/// The same messages in every round, or to and fro. What a rank sends to a peer it received from it the round before,
/// so that round follows round; and what it receives lies apart from what it sends, so that it can be expected early.
class Probe final : public Schedule {
 public:
  enum class Way { on, to_and_fro };
  Probe(Rank ranks, std::vector<Edge> edges, Way way, Round rounds, Bytes bytes);
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override;

 private:
  static constexpr Slot sets = 3;
  Slot place(Rank r, Rank peer, Round t) const;

  std::vector<Edge> edges_;
  Way way_;
  std::vector<std::vector<Rank>> peers_;
  Slot most_ = 1;
  Shape shape_;
};

/// So many barriers and nothing else.
class Barriers final : public Schedule {
 public:
  Barriers(Rank ranks, Round rounds) : shape_{.ranks = ranks, .rounds = rounds, .in = 1, .out = 1, .cut = {1}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank, Steps&) const override {}
  bool barrier(Round) const override { return true; }

 private:
  Shape shape_;
};

/// Every rank transposes a square of pieces: they lie in order afterwards, and as far apart as they can before.
class Permutation final : public Schedule {
 public:
  Permutation(Rank ranks, Slot side, Bytes piece)
      : side_(side), shape_{.ranks = ranks, .rounds = 1, .in = 1, .out = 1, .tmp = 2 * side * side, .cut = {piece}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank r, Steps& out) const override {
    for (Slot i = 0; i < side_; ++i)
      out.move(r, Buffer::tmp, {i, 1, side_, side_}, Buffer::tmp, contiguous(side_ * (side_ + i), side_));
  }

 private:
  Slot side_;
  Shape shape_;
};

/// What executors take such schedules for: they ask how large a rank's buffers are, and a probe uses none but its own.
Spec spec_of(const Schedule& probe);

}  // namespace quadrille::tuner
