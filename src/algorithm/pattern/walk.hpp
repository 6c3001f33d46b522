// A walk round the whole network from neighbour to neighbour: what chains and daisy chains follow.
#pragma once

#include <string>

#include "quadrille/collective.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::pattern {

/// Why no such walk is known here, with the nearest topology that has one; empty when there is one.
std::string needs_ring(const Spec& spec);

/// A Hamiltonian cycle that starts at `start`: to(i) is the rank at position i, to(0) == start, and the ranks at
/// positions i and i + 1 modulo P are neighbours. Two ranks walk to and fro on their one wire. Ring: clockwise;
/// switches: by number; hypercube: Gray code; torus and mesh: as in cycle.hpp. Only when needs_ring() is empty.
schedule::Renaming ring_order(const Spec& spec, Rank start = 0);

}  // namespace quadrille::algorithm::pattern
