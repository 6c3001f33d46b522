// The processor time of a benchmark, which other programs on the machine disturb less than the time of day.
#pragma once

#include <sys/resource.h>

namespace quadrille::bench {

/// Seconds of this process so far, in programs and in the system.
inline double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace quadrille::bench
