// Shortest ways from one vertex to all hosts, as a tree, and what its arcs carry when each host is sent a word.
#pragma once

#include <utility>
#include <vector>

#include "flow/network.hpp"

namespace quadrille::flow {

class ShortestTrees {
 public:
  explicit ShortestTrees(const Network& network);

  /// A word goes from this rank's host to every other. Of ways of equal length the one found first is taken. Lengths
  /// are 0 or more, one for each arc. Returns the sum of all ways' lengths. Every host must be reachable.
  double grow(Rank from, const std::vector<double>& lengths);
  struct Load {
    std::int32_t arc;    ///< place in Network::arcs()
    std::int32_t words;  ///< 1 or more
    bool operator==(const Load&) const = default;
  };
  /// Of the last tree.
  const std::vector<Load>& loads() const { return loads_; }
  /// The arc by which the last tree reaches a vertex.
  std::int32_t arrival(Vertex vertex) const { return arrival_[static_cast<std::size_t>(vertex)]; }

 private:
  struct Near {
    double distance;
    std::int32_t vertex;
    /// By number where they are as near, so that the order does not depend on how a heap is made.
    bool operator>(const Near& other) const {
      return distance > other.distance || (distance == other.distance && vertex > other.vertex);
    }
  };
  void relax(std::int32_t vertex, const std::vector<double>& lengths);

  const Network& network_;
  std::vector<double> distance_;
  std::vector<std::int32_t> arrival_;  ///< the arc by which a vertex was reached; -1: not yet
  std::vector<std::int32_t> order_, words_;
  std::vector<Near> heap_;
  std::vector<Load> loads_;
};

}  // namespace quadrille::flow
