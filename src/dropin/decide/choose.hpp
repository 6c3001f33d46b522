// Predictions, without MPI: which plans are worth a try, and what the MPI's own collective would take.
#pragma once

#include <string>
#include <vector>

#include "dropin/decide/request.hpp"
#include "quadrille/placement.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::dropin {

struct Prospect {
  std::string algorithm;  ///< with its parameters
  Seconds predicted = 0;
  Seconds bound = 0;  ///< of bytes on wires, which no schedule beats; 0: start-ups bind, or it is not known
};

/// The best variants of the `most` best algorithms, best first; none where no algorithm is legal.
std::vector<Prospect> prospects(const Spec& spec, const Placement& placement, const Machine& machine, std::size_t most);

/// Where predictions are good to a factor of `doubt` only: the best, and of all that are predicted to take no longer
/// than it by more than that, variants too, those of the fewest messages, whose cost is the software's. `most` in all.
std::vector<Prospect> prospects_in_doubt(const Spec& spec, const Placement& placement, const Machine& machine,
                                         std::size_t most, double doubt);

/// Whether an algorithm that an earlier run has chosen is wrong here, as far as some milliseconds of proof can tell.
bool disproved(const Spec& spec, const Placement& placement, const Machine& machine, const std::string& choice);

/// For an exchange of unequal blocks: the best algorithm whose blocks all go straight to their ranks, predicted for
/// blocks that are equal; where none is legal on the network the best for a crossbar, of which nothing is predicted.
Prospect alltoallv_prospect(const Request& request, const Placement& placement, const Machine& machine);
/// Its schedule for blocks of one byte: on the network where it is legal, else as on a crossbar. Throws Error.
SchedulePtr alltoallv_schedule(const std::string& choice, const Placement& placement, const Machine& machine);

/// An estimate of what an MPI does that knows nothing of the network: the best of the textbook's algorithms for
/// networks where all pairs are neighbours, simulated on this one, where its messages share links; or, `with_bursts`,
/// on the network and machine of a plan, where idle links let something through at once. 0: cannot be told.
Seconds native_estimate(const Spec& spec, const Placement& placement, const Machine& machine, bool with_bursts);

}  // namespace quadrille::dropin
