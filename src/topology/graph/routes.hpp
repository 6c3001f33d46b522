// One route for each pair of ranks of a graph, in tables that are made when somebody first asks for them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "topology/graph/arcs.hpp"

namespace quadrille::topology {

/// A table for each destination has the next link from every vertex. Destinations behind the same vertex share that
/// vertex' table. Of parallel links, destinations take turns. Several threads may ask at once.
class Routes {
 public:
  Routes(const Network& network, const Arcs& arcs);
  ~Routes();
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;

  Routing routing() const { return routing_; }
  /// The link behind `last` (the first one where `last` is -1) on the way to `to`; -1 behind its end.
  Link next(Link last, Rank from, Rank to) const;
  /// Lengths of the routes from a rank to every vertex, -1 where there is none.
  std::vector<std::int32_t> lengths_from(Rank from) const;

 private:
  using Table = std::vector<std::int32_t>;  ///< first link of the bundle; of updown for [2 * vertex + went down]
  bool balances() const { return routing_ == Routing::balanced || routing_ == Routing::chosen; }
  const Table& table(std::int32_t root) const;
  Table made(std::int32_t root) const;
  void make_balanced() const;
  Table made_updown(std::int32_t root) const;
  void make_levels(const Network& network);
  bool up(Link link) const;

  const Arcs& arcs_;
  Routing routing_;
  std::vector<std::int32_t> root_;                         ///< of ranks: whose table leads to them
  std::vector<std::int64_t> level_;                        ///< of vertices, for updown: the lower the higher up
  std::vector<double> width_;                              ///< of bundles at their first link, for balanced
  mutable std::vector<std::atomic<const Table*>> tables_;  ///< of vertices
  mutable std::once_flag balanced_;                        ///< whose tables depend on each other
  mutable std::atomic<std::int64_t> bytes_{0};
};

}  // namespace quadrille::topology
