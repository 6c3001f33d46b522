// Shortest ways from one vertex to all hosts, as a tree, and what its arcs carry when each host is sent its words.
#pragma once

#include <utility>
#include <vector>

#include "flow/network.hpp"

namespace quadrille::flow {

/// What hosts are sent by which others.
struct Wants {
  std::vector<std::int64_t> words = {};  ///< sender * ranks + receiver; empty: a word for each other
  std::int64_t of(const Network& network, Rank from, Rank to) const {
    return words.empty() ? (from == to ? 0 : 1) : words[static_cast<std::size_t>(from * network.ranks() + to)];
  }
  bool operator==(const Wants&) const = default;
};

class ShortestTrees {
 public:
  /// The wants must outlive it.
  explicit ShortestTrees(const Network& network, const Wants& wants = one_word_each());

  /// What this rank's host has for others goes to them. Of ways of equal length the one found first is taken. Lengths
  /// are 0 or more, one for each arc. Returns the sum of all words' lengths. Who is sent something must be
  /// reachable.
  double grow(Rank from, const std::vector<double>& lengths);
  struct Load {
    std::int32_t arc;    ///< place in Network::arcs()
    std::int64_t words;  ///< 1 or more
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
  static const Wants& one_word_each();
  void relax(std::int32_t vertex, const std::vector<double>& lengths);

  const Network& network_;
  const Wants& wants_;
  std::vector<double> distance_;
  std::vector<std::int32_t> arrival_;  ///< the arc by which a vertex was reached; -1: not yet
  std::vector<std::int32_t> order_;
  std::vector<std::int64_t> words_;
  std::vector<Near> heap_;
  std::vector<Load> loads_;
};

}  // namespace quadrille::flow
