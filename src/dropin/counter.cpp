#include "dropin/counter.hpp"

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

const Clock::time_point clock_before = Clock::now();
const Ticks ticks_before = ticks();

}  // namespace

Seconds seconds_of(Ticks some) {
  const Ticks passed = ticks() - ticks_before;
  return passed > 0 ? since(clock_before) / static_cast<double>(passed) * static_cast<double>(some) : 0;
}

Ticks ticks_of(Seconds seconds) {
  constexpr Ticks some = 1 << 30;
  return static_cast<Ticks>(seconds / seconds_of(some) * some);
}

}  // namespace quadrille::dropin
