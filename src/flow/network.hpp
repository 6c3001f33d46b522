// A network as flows see it: vertices, of which some are hosts, and directed arcs with whole capacities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::flow {

using Vertex = std::int64_t;

struct Arc {
  Vertex from = 0, to = 0;
  std::int64_t capacity = 1;
  bool operator==(const Arc&) const = default;
};

/// Hosts have data and may forward that of others; other vertices are switches, which relay and do not copy. Rank r is
/// the host at place r. Parallel arcs are one arc of their capacities together.
class Network {
 public:
  /// Throws Error(argument) for a self loop, a capacity below 1, a vertex that does not exist, and a host named twice.
  Network(Vertex vertices, std::vector<Vertex> hosts, std::vector<Arc> arcs);

  Vertex vertices() const { return static_cast<Vertex>(rank_.size()); }
  const std::vector<Vertex>& hosts() const { return hosts_; }
  Rank ranks() const { return static_cast<Rank>(hosts_.size()); }
  Vertex host(Rank r) const { return hosts_[static_cast<std::size_t>(r)]; }
  Rank rank(Vertex v) const { return rank_[static_cast<std::size_t>(v)]; }  ///< -1 of a switch
  bool is_host(Vertex v) const { return rank(v) >= 0; }
  const std::vector<Arc>& arcs() const { return arcs_; }  ///< by tail, then by head
  std::span<const Arc> leaving(Vertex v) const;
  /// The place in arcs() of the arc from one to the other; -1 where there is none.
  std::int64_t find(Vertex from, Vertex to) const;
  std::int64_t out(Vertex v) const;  ///< capacity that leaves it
  Network reversed() const;          ///< every arc the other way

 private:
  std::vector<Vertex> hosts_;
  std::vector<Rank> rank_;
  std::vector<Arc> arcs_;
  std::vector<std::size_t> first_;  ///< of each vertex, and the end
};

}  // namespace quadrille::flow
