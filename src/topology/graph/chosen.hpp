// Ways that somebody chose for the messages between pairs of ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/graph/arcs.hpp"

namespace quadrille::topology {

class Chosen {
 public:
  Chosen() = default;
  /// Checked as Topology::with_ways() says; `what` opens messages.
  Chosen(std::vector<Topology::Way> ways, const Network& network, const Arcs& arcs, const std::string& what);

  bool said() const { return !first_.empty(); }
  /// Whether some pair has several.
  bool several() const { return several_; }
  /// Ways of a pair, the one with most parts first; none: the pair takes its route.
  std::span<const Topology::Way> of(Rank from, Rank to) const;
  /// The link of the way behind `last`, the first one where that is -1; -1 behind the end.
  static Link next(const Topology::Way& way, Link last);
  /// Puts in the lengths of the ways that start at a rank.
  void add_lengths(Rank from, std::vector<std::int32_t>& lengths) const;

 private:
  std::vector<Topology::Way> ways_;  ///< by rank they start at, then by the other, then by parts
  std::vector<std::size_t> first_;   ///< of every rank, and the end; empty where there are none
  bool several_ = false;
};

}  // namespace quadrille::topology
