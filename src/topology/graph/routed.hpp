// What networks have in common whose routes lead through vertices of a graph.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// Those of the sizes, which rise, that make several groups of several ranks.
inline std::vector<Rank> groups_of(std::vector<Rank> sizes, Rank ranks) {
  std::erase_if(sizes, [&](Rank size) { return size < 2 || size >= ranks; });
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

class Routed : public Topology {
 public:
  bool direct() const override { return vertices() == ranks(); }
  Structure structure() const override { return {.routed = true}; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    for (Link link = from == to ? -1 : next(-1, from, to); link >= 0; link = next(link, from, to)) path.push_back(link);
  }
  Link next(Link last, Rank from, Rank to) const override = 0;
  std::int64_t vertices() const override = 0;
  std::string name(Link link) const override { return vertex_name(tail(link)) + "->" + vertex_name(head(link)); }
  std::optional<int> colour(Rank) const override { return std::nullopt; }
  bool invariant(Group group) const override { return group == Group::none; }
  Link representative(Link link, Group) const override { return link; }

  /// "shortest", "updown", "dmodk", "minimal".
  virtual std::string_view routing() const = 0;
  /// By which failed links and jobs name it.
  virtual std::string vertex_name(std::int64_t vertex) const { return std::to_string(place(vertex)); }
  /// The vertex's number before a job or a failure gave it another one.
  virtual std::int32_t place(std::int64_t vertex) const { return static_cast<std::int32_t>(vertex); }
};

}  // namespace quadrille::topology
