// Messages between ranks against the clock, within the time that a tuning has.
#pragma once

#include <string_view>
#include <vector>

#include "quadrille/tune.hpp"
#include "tuner/probe.hpp"

namespace quadrille::tuner {

constexpr Bytes small_size = 64, short_size = Bytes{16} << 10, middle_size = Bytes{64} << 10,
                large_size = Bytes{256} << 10;
constexpr int trips = 20;  ///< of short messages, in a row: the first wakes the other rank up

class Bench {
 public:
  /// Says in `hurried` when time was over before it should have been.
  Bench(const TuneOptions& options, bool& hurried) : options_(options), hurried_(hurried) {}

  void begin(std::string_view what) const {
    if (options_.begun) options_.begun(what);
  }
  /// Whether so much of the time has passed.
  bool over(double share);
  /// The least of one repetition, or of as many as take little time.
  Seconds shortest(const Schedule& schedule);
  /// As many repetitions as an equal share of the time allows, each of so many parts in a row.
  Sample repeated(const Schedule& schedule, Bytes bytes, int parts);
  /// Of one message on each of these edges.
  Sample measured(std::string_view what, const std::vector<Edge>& edges, Probe::Way way, Bytes bytes);

 private:
  std::vector<Seconds> times(const Schedule& schedule, int repetitions);

  const TuneOptions& options_;
  bool& hurried_;
};

}  // namespace quadrille::tuner
