// Hamiltonian cycles of tori and meshes.
#pragma once

#include "algorithm/pattern/axes.hpp"

namespace quadrille::algorithm::pattern {

/// Whether a cycle is known: on every torus, and on meshes of an even number of ranks that are no mere line.
bool has_cycle(const Axes& axes);
/// to(i) is the rank at position i, to(0) == 0.
schedule::Renaming cycle_of(const Axes& axes);

}  // namespace quadrille::algorithm::pattern
