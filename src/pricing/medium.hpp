// What every schedule must pay where all messages go through one medium: a bus, or a shared memory.
#pragma once

#include "quadrille/price.hpp"

namespace quadrille::pricing {

/// Rounds: every rank that has something others need must put it on the medium, and a memory must be read, too.
Bound::Part medium_latency(const Spec& spec, const Machine& machine);
/// Bytes through the medium, k* accesses at a time.
Bound::Part medium_volume(const Spec& spec, const Machine& machine);
/// Bytes of one rank, which is in one transaction at a time.
Bound::Part medium_port(const Spec& spec, const Machine& machine);

}  // namespace quadrille::pricing
