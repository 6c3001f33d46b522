// Any graph as a topology.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "topology/graph/arcs.hpp"
#include "topology/graph/chosen.hpp"
#include "topology/graph/cut.hpp"
#include "topology/graph/network.hpp"
#include "topology/graph/routed.hpp"
#include "topology/graph/routes.hpp"

namespace quadrille::topology {

/// What people read of a graph.
struct GraphName {
  std::string family, text, describe;
};

/// Ranks are the network's hosts. Links are numbered as Arcs says: by their tail, then by their head; parallel ones are
/// links of their own. Lengths of routes, and the narrow cut, are found when somebody first asks for them.
class GraphTopology final : public Routed {
 public:
  GraphTopology(Network network, GraphName name);
  GraphTopology(const GraphTopology& other, std::vector<Way> ways);

  std::string_view family() const override { return name_.family; }
  std::string text() const override { return name_.text; }
  std::string describe() const override { return name_.describe; }
  Rank ranks() const override { return network_.ranks; }
  std::int64_t vertices() const override { return network_.vertices; }
  Structure structure() const override { return {.routed = true, .groups = network_.groups}; }
  Link links() const override { return arcs_.size(); }
  int diameter() const override;
  int distance(Rank from, Rank to) const override;
  Rank farthest(Rank from) const override;
  int degree() const override { return degree_; }
  int least_degree() const override { return least_degree_; }
  int degree_at(Rank rank) const override {
    return static_cast<int>(std::max<std::int64_t>(arcs_.leaving(rank).count(), std::ssize(arcs_.entering(rank))));
  }
  Link next(Link last, Rank from, Rank to) const override {
    const std::span<const Way> ways = chosen_.of(from, to);
    return ways.empty() ? routes_.next(last, from, to) : Chosen::next(ways.front(), last);
  }
  std::span<const Way> divided(Rank from, Rank to) const override {
    const std::span<const Way> ways = chosen_.of(from, to);
    return ways.size() > 1 ? ways : std::span<const Way>();
  }
  bool divides() const override { return chosen_.several(); }
  bool chooses_ways() const override { return network_.routing == Routing::chosen && !chosen_.said(); }
  std::shared_ptr<const Topology> with_ways(std::vector<Way> ways) const override;
  std::shared_ptr<const Topology> before_failures() const override;
  Rank tail(Link link) const override { return arcs_.tail(link); }
  Rank head(Link link) const override { return arcs_.head(link); }
  Link reverse(Link link) const override { return arcs_.reverse(link); }
  std::string name(Link link) const override;
  std::vector<std::string> kinds() const override { return network_.kinds; }
  LinkFacts facts(Link link) const override;
  bool links_alike() const override { return alike_; }
  std::int64_t widest() const override { return widest_; }
  double rate() const override { return network_.rate; }
  std::int64_t bisection() const override;
  Rank bisection_ranks() const override { return network_.ranks / 2; }
  std::int64_t total_distance(Rank from) const override;
  std::int64_t sum_of_distances() const override;
  double mean_distance() const override;
  std::optional<int> colour(Rank rank) const override;

  Drawing drawing() const override;

  std::string_view routing() const override { return to_string(network_.routing); }
  std::string vertex_name(std::int64_t vertex) const override { return network_.name(vertex); }
  std::int32_t place(std::int64_t vertex) const override { return network_.place(vertex); }
  const Network& network() const { return network_; }

 private:
  struct Lengths {
    int diameter = 0;
    std::int64_t sum = 0;
  };
  const Lengths& lengths() const;
  std::vector<std::int32_t> lengths_from(Rank from) const;
  void colour_vertices();

  Network network_;
  GraphName name_;
  Arcs arcs_;
  Routes routes_;
  Chosen chosen_;
  int degree_ = 0, least_degree_ = 0;
  bool alike_ = true;
  std::int64_t widest_ = 1;
  std::vector<signed char> colours_;  ///< none where an odd cycle is, or switches
  mutable std::once_flag measured_, cut_found_;
  mutable Lengths lengths_;
  mutable Cut cut_;
};

/// The topology of a network, which is checked.
TopologyPtr make_graph(Network network, GraphName name);

}  // namespace quadrille::topology
