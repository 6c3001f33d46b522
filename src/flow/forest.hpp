// Spanning trees from many roots that share the arcs of a network between ranks (Edmonds 1973, Lovasz 1976).
#pragma once

#include <cstdint>
#include <vector>

#include "flow/cuts.hpp"
#include "flow/network.hpp"

namespace quadrille::flow {

/// A tree that reaches every rank. It takes a unit of the capacity of its arcs for each copy.
struct RootedTree {
  Rank root = 0;
  std::int64_t copies = 1;
  std::vector<std::int32_t> parent;  ///< of every rank; -1: of the root
  std::int32_t depth = 0;            ///< arcs to the farthest rank
};

struct ForestEffort {
  std::int64_t flows = 1 << 18;  ///< that are looked for, about
};

/// So many trees rooted at each rank, copies counted; by root, the shallowest first. Trees are grown one after the
/// other, near ranks first; cuts that then let in too few of the others are spared at the next attempt. Every vertex
/// must be a host. Throws Error(argument) where the trees do not fit, and Error(budget) where the effort is spent
/// before.
std::vector<RootedTree> forest(const Network& network, const Words& trees, const ForestEffort& effort = {});

/// Trees span, as many as there must be, and no arc carries more than its capacity; throws Error(internal) otherwise.
void check_forest(const Network& network, const Words& trees, const std::vector<RootedTree>& forest);

}  // namespace quadrille::flow
