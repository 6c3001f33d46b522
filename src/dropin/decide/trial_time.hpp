// How long this rank has spent on trials, and when. Used by several threads at once.
#pragma once

#include <atomic>
#include <cstdint>

#include "dropin/decide/budget.hpp"
#include "dropin/timing/ticks.hpp"

namespace quadrille::dropin {

struct TrialTime {
  Clock::time_point begin{};                          ///< right after MPI_Init
  std::atomic<Seconds> spent{0};                      ///< on trials
  std::atomic<Seconds> opening{Budget::first_guess};  ///< what the last trial took to begin with
  std::atomic<Seconds> agreeing{0};                   ///< how long ranks needed to agree before trials, in all
  std::atomic<std::int64_t> agreed{0};                ///< how often
  std::atomic<std::int64_t> trials{0};                ///< that were begun

  Seconds since_begin() const { return since(begin); }
  /// What the next trial is thought to take before its first turn.
  Seconds next_opening() const { return Budget::beginning(opening, agreed, agreeing); }
  /// Ranks have agreed on whether to begin one, which took so long here.
  void met(Seconds seconds) {
    agreeing += seconds;
    ++agreed;
    spent += seconds;
  }
  /// A trial has begun, which took so long here.
  void began(Seconds seconds) {
    ++trials;
    opening = seconds;
    spent += seconds;
  }
};

}  // namespace quadrille::dropin
