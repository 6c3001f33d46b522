// Shortest ways from one vertex to all hosts, as a tree, and what its arcs carry when each host is sent its words.
#pragma once

#include <algorithm>
#include <functional>
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
  /// As grow(), until these vertices are reached, each named once: only their ways are of use then, and no loads.
  template <class LengthOfArc>
  void reach(Rank from, const LengthOfArc& length_of, const std::vector<Vertex>& targets);
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
  void start(Rank from);
  /// The nearest vertex whose ways are not looked at, which are then; -1 when there is none.
  template <class LengthOfArc>
  std::int32_t next(const LengthOfArc& length_of);
  template <class LengthOfArc>
  void relax(std::int32_t vertex, const LengthOfArc& length_of);

  const Network& network_;
  const Wants& wants_;
  std::vector<double> distance_;
  std::vector<std::int32_t> arrival_;  ///< the arc by which a vertex was reached; -1: not yet
  std::vector<std::int32_t> order_;
  std::vector<std::int64_t> words_;
  std::vector<bool> wanted_;  ///< by the last reach(): its targets
  std::vector<Near> heap_;
  std::vector<Load> loads_;
};

template <class LengthOfArc>
void ShortestTrees::relax(std::int32_t vertex, const LengthOfArc& length_of) {
  const double here = distance_[static_cast<std::size_t>(vertex)];
  for (const Arc& arc : network_.leaving(vertex)) {
    double& known = distance_[static_cast<std::size_t>(arc.to)];
    if (known <= here) continue;  // before its length is summed up
    const auto place = static_cast<std::int32_t>(&arc - network_.arcs().data());
    const double there = here + length_of(place);
    if (there >= known) continue;
    known = there;
    arrival_[static_cast<std::size_t>(arc.to)] = place;
    heap_.push_back({there, static_cast<std::int32_t>(arc.to)});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
}

template <class LengthOfArc>
std::int32_t ShortestTrees::next(const LengthOfArc& length_of) {
  while (!heap_.empty()) {
    const Near nearest = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    if (nearest.distance > distance_[static_cast<std::size_t>(nearest.vertex)]) continue;
    relax(nearest.vertex, length_of);
    return nearest.vertex;
  }
  return -1;
}

template <class LengthOfArc>
void ShortestTrees::reach(Rank from, const LengthOfArc& length_of, const std::vector<Vertex>& targets) {
  start(from);
  std::fill(wanted_.begin(), wanted_.end(), false);
  for (const Vertex v : targets) wanted_[static_cast<std::size_t>(v)] = true;
  for (std::size_t left = targets.size(); left > 0;) {
    const std::int32_t v = next(length_of);
    if (v < 0) break;
    if (wanted_[static_cast<std::size_t>(v)]) --left;
  }
}

}  // namespace quadrille::flow
