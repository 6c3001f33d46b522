// The time of calls that MPI answers, which may take less than a microsecond: two readings of the clock are a tenth of
// that. Where the processor counts time steadily, reading its counter takes a third of the time.
#pragma once

#include <chrono>
#include <cstdint>

#include "quadrille/base.hpp"

namespace quadrille::dropin {

using Clock = std::chrono::steady_clock;
inline Seconds since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Of a counter that is read at will; how long one is, is known by the time somebody asks.
using Ticks = std::int64_t;

extern const bool processor_counts;  ///< steadily, at one speed on all cores

inline Ticks ticks() {
#if defined(__x86_64__)
  if (processor_counts) return static_cast<Ticks>(__builtin_ia32_rdtsc());
#endif
  return Clock::now().time_since_epoch().count();
}

/// By how much both the clock and the counter have gone on since this library was loaded.
Seconds seconds_of(Ticks ticks);
/// The same the other way round.
Ticks ticks_of(Seconds seconds);

}  // namespace quadrille::dropin
