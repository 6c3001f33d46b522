// Barriers of a schedule in a simulation: who has come to the next one, and how long one takes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::simulator {

class Barrier {
 public:
  Barrier(const Schedule& schedule, const Machine& machine, Rank ranks) : schedule_(schedule) {
    for (Round t = 0; t < schedule.shape().rounds && !any_; ++t) any_ = schedule.barrier(t);
    int log2 = 0;
    while ((Rank{1} << log2) < ranks) ++log2;
    duration_ = machine.barrier + machine.barrier_log2 * log2;
  }
  bool any() const { return any_; }
  Seconds duration() const { return duration_; }
  /// Whether a rank has to stop before `round`.
  bool stops(Round round) const { return any_ && schedule_.barrier(round) && passed_ < round; }
  /// A rank has come to it; says how many have.
  std::size_t come(std::uint32_t rank) {
    here_.push_back(rank);
    return here_.size();
  }
  /// All have come: it stops nobody any more. Returns them, in order.
  std::vector<std::uint32_t> open(Round round) {
    passed_ = round;
    last_ = here_.back();
    return std::exchange(here_, {});
  }
  Rank last() const { return last_; }

 private:
  const Schedule& schedule_;
  bool any_ = false;
  Seconds duration_ = 0;
  Round passed_ = -1;
  Rank last_ = 0;  ///< to come to the one before
  std::vector<std::uint32_t> here_;
};

}  // namespace quadrille::simulator
