// Pairs of trees over arcs that lead one way, or are slower one way: up the one a share of a vector is combined, down
// the other the result goes out, at the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/forest.hpp"
#include "flow/network.hpp"

namespace quadrille::flow {

/// Trees at the same place have one root.
struct PairedTrees {
  std::vector<RootedTree> down;
  std::vector<RootedTree> up;  ///< down the network reversed: arcs lead from a rank to its parent
};

/// Whether pairs are found within a second or so. Every vertex must be a host.
bool small_enough_for_pairs(const Network& network);

/// So many pairs, which share arcs as evenly as can be found: one after the other takes the arcs that are least busy,
/// and then each anew as long as that helps. Throws Error(argument) where a rank cannot be reached.
PairedTrees tree_pairs(const Network& network, std::int64_t count);

/// What each arc carries of the trees down, or of those up.
struct PairLoads {
  std::vector<std::int64_t> down, up;
};
PairLoads loads_of(const Network& network, const std::vector<RootedTree>& down, const std::vector<RootedTree>& up);

}  // namespace quadrille::flow
