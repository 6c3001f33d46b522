// Spanning trees from one root that share the arcs of a network: as many as the smallest cut lets through (Edmonds
// 1973).
#pragma once

#include <cstdint>
#include <vector>

#include "flow/network.hpp"

namespace quadrille::flow {

/// A tree that leads from the root to every vertex. It takes a unit of the capacity of its arcs for each copy.
struct PackedTree {
  std::int64_t copies = 1;
  std::vector<std::int32_t> parent;  ///< of every vertex; -1: of the root
  std::int32_t depth = 0;            ///< arcs to the farthest vertex
};

/// The most trees, copies counted, that fit: the least that can flow from the root to some vertex. 0: some cannot be
/// reached.
std::int64_t most_trees(const Network& network, std::int64_t root);

/// So many trees, at most most_trees(), copies counted; the shallowest first. One is grown after the other, near
/// vertices first, by arcs that leave enough for the rest (Lovasz 1976). Every vertex must be a host.
std::vector<PackedTree> packed_trees(const Network& network, std::int64_t root, std::int64_t count);

}  // namespace quadrille::flow
