// Rounds in which shares go down trees: over an arc goes a run of pieces of one tree at a time, so that a message is
// one stretch of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/forest.hpp"

namespace quadrille::flow {

/// In a round so many pieces of a tree go over the arc to a rank, behind those that went before.
struct TreeRun {
  std::int32_t round = 0, tree = 0, to = 0, pieces = 0;
};

/// Copies of trees on every arc of the network.
std::vector<std::int64_t> loads_of(const Network& network, const std::vector<RootedTree>& trees);

struct TreePace {
  /// Rounds in which every arc that trees use carries a piece of each copy, about.
  std::int64_t rounds = 1;
  bool one_port = false;  ///< a rank sends to one other in a round, and takes from one
  bool evenly = false;    ///< roots hand out a piece of each copy in so many rounds, and none before
  /// Pieces that each arc takes in each of so many rounds, over and over; empty: in all as many as its capacity says.
  std::vector<std::vector<std::int64_t>> at_once = {};
};
/// As many as there can be while links that share the work differ by a hundredth at most in how busy they are.
TreePace pace_of(const Network& network, const std::vector<RootedTree>& trees);

/// `pieces` for each copy of a tree. An arc takes the tree of which it can take most pieces at once; of several the one
/// that has farthest to go. With one port so do ranks take their arcs, over each of which go as many pieces as over the
/// widest. Where that takes a fiftieth more rounds than pieces ask for, roots hand out evenly instead, if that takes
/// fewer. In the order of rounds.
std::vector<TreeRun> tree_rounds(const Network& network, const std::vector<RootedTree>& trees, const TreePace& pace,
                                 std::int64_t pieces);

}  // namespace quadrille::flow
