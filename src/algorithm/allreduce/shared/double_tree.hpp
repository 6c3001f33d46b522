// Two trees through all ranks of a switch, each rank inner in one of them and a leaf of the other.
#pragma once

#include <array>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::algorithm::allreduce {

/// In both trees together a rank has at most two parents, one of each, and at most two children. So the edges have two
/// colours such that a rank sends, and receives, over one edge of a colour. In the first tree subtrees are runs of
/// ranks; in the second, too, for an even number of ranks.
struct DoubleTree {
  explicit DoubleTree(Rank ranks);

  struct Place {
    Rank parent = -1;  ///< -1: the root
    std::vector<Rank> children = {};
    int colour = 0;          ///< of the edge to the parent
    std::int64_t first = 0;  ///< round in which the first packet comes over it, and then one every two rounds
  };
  std::array<std::vector<Place>, 2> trees;
  /// Rounds of a broadcast of so many packets in either tree.
  std::int64_t rounds(std::int64_t packets) const;

 private:
  void build_first(Rank low, Rank end, Rank parent);
  void build_second();
  void colour_edges();
  void time_edges(std::size_t tree, Rank r);
};

}  // namespace quadrille::algorithm::allreduce
