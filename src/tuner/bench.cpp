#include "tuner/bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace quadrille::tuner {

namespace {

constexpr Seconds long_enough = 2e-3;  ///< for one repetition: below, ranks that begin at different times count
constexpr int least_repetitions = 3, most_repetitions = 40;
constexpr Seconds enough_for_a_pair = 20e-3;  ///< of repetitions: short messages need many, long ones none
constexpr double samples_of_a_tuning = 20;    ///< that share its time, once the pairs are measured

}  // namespace

bool Bench::over(double share) {
  const bool is_over = options_.elapsed() > share * options_.seconds;
  hurried_ = hurried_ || is_over;
  return is_over;
}

std::vector<Seconds> Bench::times(const Schedule& schedule, int repetitions) {
  return options_.perform(spec_of(schedule), schedule, {.repetitions = repetitions, .check = false}).times;
}

Seconds Bench::shortest(const Schedule& schedule) {
  std::vector<Seconds> found = times(schedule, 1);
  const double more = std::min<double>(enough_for_a_pair / std::max(found.front(), 1e-9), most_repetitions);
  if (more >= 1) {
    const std::vector<Seconds> rest = times(schedule, static_cast<int>(more));
    found.insert(found.end(), rest.begin(), rest.end());
  }
  return *std::min_element(found.begin(), found.end());
}

Sample Bench::repeated(const Schedule& schedule, Bytes bytes, int parts) {
  std::vector<Seconds> found = times(schedule, least_repetitions);
  const Seconds one = std::max(*std::min_element(found.begin(), found.end()), 1e-9);
  const Seconds share = (options_.seconds / 2) / samples_of_a_tuning;
  const int more = static_cast<int>(std::min<double>(share / one, most_repetitions)) - least_repetitions;
  if (more > 0 && !over(1)) {
    const std::vector<Seconds> rest = times(schedule, more);
    found.insert(found.end(), rest.begin(), rest.end());
  }
  return summarised(bytes, std::move(found), parts);
}

Sample Bench::measured(std::string_view what, const std::vector<Edge>& edges, Probe::Way way, Bytes bytes) {
  begin(fmt::format("{}, {}", what, base::format_bytes(bytes)));
  const int rounds = way == Probe::Way::to_and_fro ? 2 : 1;
  int times_each = trips;
  if (bytes > small_size) {
    const std::vector<Seconds> once = times(Probe(options_.ranks, edges, way, rounds, bytes), 1);
    times_each = static_cast<int>(std::clamp(long_enough / std::max(once.front(), 1e-9), 1.0, double{trips}));
  }
  const int parts = rounds * times_each;
  return repeated(Probe(options_.ranks, edges, way, parts, bytes), bytes, parts);
}

}  // namespace quadrille::tuner
