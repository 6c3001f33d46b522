#include "dropin/timing/ticks.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace quadrille::dropin {

namespace {

bool counts_steadily() {
#if defined(__x86_64__)
  constexpr unsigned power_management = 0x80000007, invariant = 1U << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(power_management, &a, &b, &c, &d) != 0 && (d & invariant) != 0;
#else
  return false;
#endif
}

}  // namespace

const bool processor_counts = counts_steadily();

namespace {

// In this order, and in the other one below: where the processor is taken away between both, times come out too short
// rather than longer than the run was.
const Ticks ticks_before = ticks();
const Clock::time_point clock_before = Clock::now();

}  // namespace

Seconds seconds_of(Ticks some) {
  const Seconds clock = since(clock_before);
  const Ticks passed = ticks() - ticks_before;
  return passed > 0 ? clock / static_cast<double>(passed) * static_cast<double>(some) : 0;
}

Ticks ticks_of(Seconds seconds) {
  constexpr Ticks some = 1 << 30;
  return static_cast<Ticks>(seconds / seconds_of(some) * some);
}

}  // namespace quadrille::dropin
