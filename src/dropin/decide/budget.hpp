// How much of a program's time trials may take. Nothing here knows MPI.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "quadrille/base.hpp"

namespace quadrille::dropin {

/// Trials may take a share of the time since MPI_Init, and those of a row no more than its best plan can still win. As
/// many calls are expected to come as have come, so what a trial may take grows with the calls that are made meanwhile:
/// one that may not go on now waits, and is taken up again.
struct Budget {
  static constexpr Seconds at_once = 5e-3;  ///< what they may take of a program that has just begun
  /// What the first round of a trial is thought to take before there was one: a private communicator and some plans.
  static constexpr Seconds first_guess = 0.5e-3;

  double share = 0.05;  ///< of the time since MPI_Init
  bool limited = true;

  /// What it takes for every second that ranks need to agree on one thing: they do so about as often.
  static constexpr double agreements = 30;

  /// What a trial takes before its first turn, if the last one took `last` to begin and ranks have agreed on something
  /// so often in so long. Before they ever did nobody knows how busy the machine is: then too long.
  static Seconds beginning(Seconds last, std::int64_t agreed, Seconds in_all) {
    constexpr Seconds too_long = 1e3;
    return agreed == 0 ? too_long : std::max(last, agreements * in_all / static_cast<double>(agreed));
  }
  /// Whether trials that have taken so long, what comes next included, may go on.
  bool in_time(Seconds spent, Seconds since_begin) const {
    return !limited || (share > 0 && spent <= at_once + share * since_begin);
  }
  /// Whether a row that has taken so long can win back a trial of this cost, if its plan took no time at all.
  bool worth_it(Seconds cost, Seconds taken) const { return !limited || cost <= taken; }
  /// After so many times the calls until now ranks agree again on whether a trial is worth it, where they needed so
  /// long to do so.
  std::int64_t patience(Seconds agreeing, Seconds since_begin) const { return agreeing > share * since_begin ? 16 : 4; }
};

/// "5 %", "0.5%" or "off", which means no limit. Throws Error(argument).
Budget parse_budget(std::string_view text);

}  // namespace quadrille::dropin
