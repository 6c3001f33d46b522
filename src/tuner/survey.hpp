// What network the ranks at hand are on, and who is beside whom there: by what is told, and by times of messages.
#pragma once

#include <string>
#include <vector>

#include "topology/hosts/hosts.hpp"
#include "tuner/bench.hpp"

namespace quadrille::tuner {

class Survey {
 public:
  /// Measures pairs and patterns into `tuned`, and sets its topology, nodes and network.
  Survey(const TuneOptions& options, Bench& bench, Tuned& tuned);

  /// Ranks that rank r is measured with: one link away. Where nodes have several ranks the first of each node speaks
  /// for it; others have none.
  const std::vector<Rank>& neighbours(Rank r) const { return neighbours_[static_cast<std::size_t>(r)]; }
  /// Both directions of everybody's links.
  std::vector<Edge> all_edges() const;
  /// Links from rank 0; 1 where they are not known.
  int distance_to(Rank r) const { return known() ? distance(0, r) : 1; }
  Rank farthest() const;
  /// Ranks that rank 0 talks to without sharing a link with more of its messages than it must; at most 8.
  std::vector<Rank> crowd() const;

  /// Nodes with several ranks; not shared() where ranks are measured as if each had its own.
  const topology::Hosts& hosts() const { return hosts_; }
  /// Two ranks of a node; as many ranks of two nodes as the smaller has, each to another; the first rank of every other
  /// node, 8 at most, to rank 0. Of hosts that are shared.
  Edge within() const;
  std::vector<Edge> leaving() const;
  std::vector<Edge> incast() const;

 private:
  std::vector<PairSample> pairs(std::string_view what, const std::vector<Edge>& chosen, double share);
  std::vector<PatternSample> measured_patterns(const std::vector<Rank>& among);
  topology::Hosts hosts_at_hand() const;
  void choose_network();
  void choose_network_of_nodes();
  void choose_neighbours();
  /// The first rank of every node.
  std::vector<Rank> speakers() const;
  /// Distances are told or revealed; else all that is known is who is near whom.
  bool known() const { return options_.topology || hosts_.shared() || tuned_.network.groups.empty(); }
  int distance(Rank a, Rank b) const;

  const TuneOptions& options_;
  Bench& bench_;
  Tuned& tuned_;
  topology::Hosts hosts_;
  std::vector<std::vector<Rank>> neighbours_;
};

}  // namespace quadrille::tuner
