// The complete exchange that swaps half of all blocks along one dimension after the other, shared by its plain and its
// rotated form.
#pragma once

#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::alltoall_mtadea {

/// Complete exchange of 2^dimension ranks with blocks of `bytes`, full duplex, one port, neighbours of the cube only.
SchedulePtr mtadea_schedule(int dimension, Bytes bytes);
/// Every message of several blocks is several runs of memory, at both ends: P blocks a dimension, on half-duplex wires
/// P/2 in each of two rounds.
Bytes mtadea_packed(int dimension, Bytes bytes);

}  // namespace quadrille::algorithm::alltoall_mtadea
