// Where ranks are in a network: which rank is on which node, as text, as a file, or by the hosts they run on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

struct Placement {
  TopologyPtr topology;
  std::vector<Rank> nodes = {};         ///< rank r is on nodes[r], each on another; empty: on node r
  std::vector<std::string> hosts = {};  ///< of the nodes, when ranks are placed by where they run; see resolved()

  bool moves() const { return !nodes.empty(); }
  Rank node(Rank rank) const { return moves() ? nodes[static_cast<std::size_t>(rank)] : rank; }
  /// "torus:2x2", "torus:2x2@0,1,3,2"; parse_placement(text()) gives the same. Hosts have no text.
  std::string text() const;
};

/// A topology, "torus:2x2", or one with the nodes of ranks 0, 1, ...: "torus:2x2@0,1,3,2". Throws Error(argument) for
/// anything else, for nodes that are not every node once, and for nodes of a topology with relays.
Placement parse_placement(std::string_view text);
/// TOML with `topology` and, if ranks are not in order, either `nodes = [0, 1, 3, 2]`, the nodes of ranks 0, 1, ..., or
/// `hosts = ["a", "b", "b", "a"]`, the hosts of nodes 0, 1, ...; `where` names it in errors.
Placement parse_placement_file(std::string_view toml, const std::string& where);
/// What either of these reads: text where it begins with a family of topologies and a colon, otherwise a file's name.
Placement load_placement(const std::string& text_or_path);

/// With nodes instead of hosts, by the host each rank runs on: a host's ranks take its nodes in order, the lowest
/// first. A node may name its host without its domain. Throws Error(argument) where a host has not as many ranks as
/// nodes.
Placement resolved(Placement placement, const std::vector<std::string>& host_of_rank);

/// What ranks ask for in terms of the nodes they are on; unchanged on another topology than the placement's. Throws
/// Error(illegal) for a transpose of ranks that are not in order: who is across the diagonal there is not across it in
/// the network.
Spec on_nodes(const Spec& spec, const Placement& placement);
/// What is asked where nobody has named the network, but ranks were found on hosts: on a crossbar where on_nodes would
/// refuse, because ranks do not follow each other host by host; otherwise as it is.
Spec on_crossbar_if_refused(Spec spec, const Placement& placement);
/// The schedule of on_nodes(spec), performed by the ranks on these nodes: peers, blocks and sources are theirs.
SchedulePtr for_ranks(SchedulePtr schedule, const Spec& spec, const Placement& placement);
/// The reverse for peers: what ranks do, as messages between the nodes they are on; for simulations of it.
SchedulePtr between_nodes(SchedulePtr schedule, const Placement& placement);

}  // namespace quadrille
