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

struct Moment {
  Clock::time_point clock;
  Ticks ticks;
};

/// By both: of several readings the one that took least, as the processor may be taken away in between.
Moment now() {
  constexpr int tries = 5;
  Moment best{};
  auto least = Clock::duration::max();
  for (int i = 0; i < tries; ++i) {
    const auto before = Clock::now();
    const Ticks counted = ticks();
    if (const auto took = Clock::now() - before; took < least) least = took, best = {before, counted};
  }
  return best;
}

const Moment loaded = now();

}  // namespace

Seconds seconds_of(Ticks some) {
  const Moment at = now();
  const Seconds clock = std::chrono::duration<double>(at.clock - loaded.clock).count();
  const Ticks passed = at.ticks - loaded.ticks;
  return passed > 0 ? clock / static_cast<double>(passed) * static_cast<double>(some) : 0;
}

Ticks ticks_of(Seconds seconds) {
  constexpr Ticks some = 1 << 30;
  return static_cast<Ticks>(seconds / seconds_of(some) * some);
}

}  // namespace quadrille::dropin
