// Calls that MPI answers, timed where it is due.
#pragma once

#include <atomic>
#include <limits>

#include "dropin/timing/stopwatch.hpp"

namespace quadrille::dropin {

/// Calls that follow each other faster than this are not timed each: Stopwatch::closely in ticks.
[[gnu::visibility("hidden")]] inline Ticks close_calls = 0;

/// When Session::look() is due; asked for where a call was timed anyway.
[[gnu::visibility("hidden")]] inline std::atomic<Ticks> next_look = std::numeric_limits<Ticks>::max();
void look_now();  ///< Session's
inline void look_if_due(Ticks now) {
  if (now > next_look.load(std::memory_order_relaxed)) [[unlikely]]
    look_now();
}

/// A call that goes to MPI, and is due to be timed. Apart from the others, which are many. What it returns is MPI's.
template <class Native>
[[gnu::noinline]] int timed(Stopwatch& stopwatch, const Native& native) {
  const Ticks begin = ticks();
  const int code = native();
  const Ticks end = ticks();
  stopwatch.took(begin, end, close_calls);
  look_if_due(end);
  return code;
}

}  // namespace quadrille::dropin
