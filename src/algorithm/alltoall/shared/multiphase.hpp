// The multiphase complete exchange and its partitions. [Nicol & Bokhari 1994]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/multiphase.hpp"

namespace quadrille::algorithm::alltoall {

/// Counts of a run with these phases and blocks of `bytes`, eq. (2) of Nicol & Bokhari. `charge_identity`: the
/// permutation of a one-phase run, which is the identity, is performed and paid all the same.
Cost multiphase_cost(const Partition& phases, Bytes bytes, bool charge_identity);

/// The schedule in list form: each phase exchanges contiguous runs and ends with a local permutation. With `barriers`
/// all ranks wait for each other before each phase, as in the paper.
SchedulePtr multiphase_schedule(const Partition& phases, Bytes bytes, bool charge_identity, bool barriers);

/// Why these phases cannot run here; empty when they can.
std::string multiphase_illegal(const Spec& spec, const Machine& machine, const Partition& phases);

/// multiphase_schedule fit to the machine's wires, with barriers where circuits are.
SchedulePtr multiphase_build(const Spec& spec, const Machine& machine, const Partition& phases, bool charge_identity);
Cost multiphase_formula(const Spec& spec, const Machine& machine, const Partition& phases, bool charge_identity);

}  // namespace quadrille::algorithm::alltoall
