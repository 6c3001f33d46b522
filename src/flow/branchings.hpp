// Cheapest spanning trees that lead away from a root (Chu & Liu 1965, Edmonds 1967).
#pragma once

#include <cstdint>
#include <vector>

#include "flow/network.hpp"

namespace quadrille::flow {

/// The arc by which such a tree reaches each vertex, as its place in `arcs`; -1: the root. The sum of costs, which are
/// 0 or more, is least; capacities do not matter. Of equal trees it is always the same one. Throws
/// Error(argument) where a vertex cannot be reached.
std::vector<std::int32_t> cheapest_branching(Vertex vertices, Vertex root, const std::vector<Arc>& arcs,
                                             const std::vector<double>& costs);

}  // namespace quadrille::flow
