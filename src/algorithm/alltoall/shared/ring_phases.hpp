// All pairs of ranks of a ring in phases in which no two messages share a link in one direction, nor a port.
#pragma once

#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::algorithm::alltoall {

/// A partial permutation of a ring's ranks, which falls into groups. Messages of a group lead from its ranks to its
/// ranks, and are a phase: they go the shorter way round, half way round upwards, and none meets another.
struct RingClass {
  std::vector<Rank> to, from;  ///< of each rank; -1: it pauses
  std::vector<Rank> group;
  Rank longest = 0;  ///< way of a message, in links, in each group
};
/// Each rank sends to each, itself included, in one class.
struct RingPhases {
  Rank groups = 1;  ///< of each class
  std::vector<RingClass> classes;
};

/// Sides of 3, 5, 7, and powers of two up to 512: there are entries for all pairs of a ring.
bool has_ring_phases(Rank side);
/// As many classes as there are ranks; from 8 ranks on two more, in `side` / 8 groups. As messages half way round all
/// go upwards, fewer phases do not do. Throws Error(argument) for other sides. [Hinrichs et al. 1994, where they go
/// both ways]
RingPhases ring_phases(Rank side);

}  // namespace quadrille::algorithm::alltoall
