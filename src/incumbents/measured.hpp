// Rules from measurements: an MPI's own algorithms between the ranks at hand, at few sizes.
//
// Every algorithm is measured at four sizes, and a time between sizes is read off a line in logarithms. Where another
// one may be as fast as the best within a factor, both are measured there, too. On published times of four production
// machines this picks algorithms that take 1.012 times as long as the best, in the geometric mean over held-out points.
#pragma once

#include <functional>
#include <map>

#include "incumbents/settings.hpp"

namespace quadrille::incumbents {

/// What a call of the collective takes with blocks of so many bytes and these settings; the same on all ranks. Infinite
/// where the MPI does not know a setting. A call that takes several times `enough` need not be repeated.
using TimeCall = std::function<Seconds(const std::vector<Setting>& settings, Collective, Bytes block, Seconds enough)>;

struct Measuring {
  Mpi mpi = Mpi::openmpi;
  Rank ranks = 2;
  Bytes most = Bytes{1} << 20;
  TimeCall time;
  std::function<bool()> over = {};             ///< whether time for near ties is up; the same on all ranks
  std::function<void(Collective)> begun = {};  ///< before each collective
};

/// A collective's rules, and what they are worth.
struct MeasuredRules {
  Rules rules;
  /// How many times as long the MPI's own choice takes: the geometric mean over the sizes that all were measured at.
  double own_choice = 1;
  std::int64_t calls = 0;  ///< pairs of an algorithm and a size that were measured
};
struct Measured {
  std::vector<MeasuredRules> collectives;
  bool hurried = false;  ///< time was up before all near ties were measured
};
/// Of all ranks together. Throws Error(argument) for one rank.
Measured measured_rules(const Measuring& measuring);

/// Measured times of one algorithm by size, and what lies between: linear in logarithms. Below the least size and above
/// the largest as there.
class TimesBySize {
 public:
  void set(Bytes bytes, Seconds time) { points_[bytes] = time; }
  bool has(Bytes bytes) const { return points_.count(bytes) > 0; }
  /// Infinite where one of the neighbours is, or there are none.
  Seconds at(Bytes bytes) const;

 private:
  std::map<Bytes, Seconds> points_;
};

}  // namespace quadrille::incumbents
