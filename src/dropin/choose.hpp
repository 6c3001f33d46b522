// Predictions, without MPI: which plans are worth a try, and what the MPI's own collective would take.
#pragma once

#include <string>
#include <vector>

#include "quadrille/placement.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::dropin {

struct Prospect {
  std::string algorithm;  ///< with its parameters
  Seconds predicted = 0;
};

/// The best variants of the `most` best algorithms, best first; none where no algorithm is legal.
std::vector<Prospect> prospects(const Spec& spec, const Placement& placement, const Machine& machine, std::size_t most);

/// An estimate of what an MPI does that knows nothing of the network: the best of the textbook's algorithms for
/// networks where all pairs are neighbours, played on this one, where its messages share links. 0: cannot be told.
Seconds native_estimate(const Spec& spec, const Placement& placement, const Machine& machine);

}  // namespace quadrille::dropin
