// The planner: every legal algorithm with every sensible parameter, priced, ranked and explained.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/price.hpp"

namespace quadrille {

enum class Effort { estimate };  ///< by closed form; simulate and measure rank the same candidates by other clocks

struct Candidate {
  const Algorithm* algorithm = nullptr;
  Params params;
  Cost cost;
  Seconds time = 0;
  bool exact = true;  ///< the closed form equals the counted price
};

struct Refusal {
  const Algorithm* algorithm = nullptr;
  std::string reason;
};

struct Plan {
  Spec spec;
  Machine machine;
  std::vector<Candidate> candidates;  ///< best first: every variant that was priced, ties to fewer start-ups, then name
  std::vector<Refusal> refused;
  Bound bound;
  bool possible() const { return !candidates.empty(); }  ///< the others below ask for a best candidate
  const Candidate& best() const { return candidates.front(); }
  double gap() const { return bound.time > 0 ? best().time / bound.time : 1; }
  /// The best candidate of another algorithm, if any.
  const Candidate* runner_up() const;
};

/// When no algorithm is legal there are no candidates, and `refused` says why.
Plan plan(const Spec& spec, const Machine& machine, Effort effort = Effort::estimate);

}  // namespace quadrille
