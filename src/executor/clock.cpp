#include "executor/clock.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::executor {

void set_times(RunResult& result, std::vector<Seconds> times) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const std::size_t n = times.size();
  result.median = (times[(n - 1) / 2] + times[n / 2]) / 2;
  result.least = times.front();
  result.most = times.back();
  result.times = std::move(times);
}

void check_repetitions(const RunOptions& options) {
  if (options.repetitions < 0)
    throw Error(Error::Kind::argument, fmt::format("repetitions {}: expected 0 or more", options.repetitions));
}

}  // namespace quadrille::executor
