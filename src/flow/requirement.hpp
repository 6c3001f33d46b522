// Whether trees from many roots still fit a network: every cut must let in a copy of each tree that starts outside.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/max_flow.hpp"
#include "flow/network.hpp"

namespace quadrille::flow {

/// A number of a vertex, rank or arc as the place in a list.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Vertices of a cut, one flag each.
using Side = std::vector<char>;

/// Cuts whose outside has more trees to send in than arcs into them carry, at most `most`; none where all trees fit.
/// Trees that are rooted at each vertex, arcs as they are left, and vertices that every tree must reach. Each is the
/// side that trees must enter; a vertex that lies in one of them is not asked for another.
std::vector<Side> crowded_cuts(std::int64_t vertices, const std::vector<Arc>& arcs,
                               const std::vector<std::int64_t>& rooted, const std::vector<Vertex>& wanted,
                               std::size_t most);

}  // namespace quadrille::flow
