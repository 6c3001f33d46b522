// What every schedule must pay where all messages go through one medium: a bus, or a shared memory.
#pragma once

#include <vector>

#include "quadrille/price.hpp"

namespace quadrille::pricing {

/// Rounds: every rank that has something others need must put it on the medium, and a memory must be read, too.
Bound::Part medium_latency(const Spec& spec, const Machine& machine);
/// Bytes through the medium, k* accesses at a time; and those of one rank, which has one access to a memory at a time.
/// On a bus it has one port, or as many as the medium serves at once.
std::vector<Bound::Part> medium_volumes(const Spec& spec, const Machine& machine);

}  // namespace quadrille::pricing
