// A network whose messages cross switches (Structure::routed) as a graph with capacities, for bounds by cuts.
#pragma once

#include <optional>
#include <vector>

#include "flow/cuts.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"
#include "topology/graph/network.hpp"

namespace quadrille::cost {

constexpr Link most_links = Link{1} << 21;  ///< that are looked at one by one
/// A number of a topology's may stand for no link: on the rim of a mesh.
bool exists(const Topology& topology, Link link);
/// Arcs as wide as the wires.
flow::Network graph_of(const topology::Network& network);
/// Ranks and switches with all links alike; nothing where there are too many.
std::optional<flow::Network> plain_graph(const Topology& topology);

/// Vertices are those of the topology. Where a rank has one port and several links, the rank is a vertex of its own
/// behind the others, joined to its place by a link as fast as its fastest: what passes its place without being for it
/// needs no port.
struct NetworkGraph {
  flow::Network network;
  double unit = 1;     ///< `capacity` bytes on an arc take as long as this many on a link of slowness 1
  bool whole = true;   ///< unit is 1, and all links are as fast as one of slowness 1
  std::int64_t nodes;  ///< of Structure::per_node ranks; 0: every rank has its own
};

/// Nothing where there are too many links to look at them one by one.
std::optional<NetworkGraph> network_graph(const Topology& topology, const Machine& machine);

/// Of a network of stages, whose links have no two vertices: where routes take one link after another, these share a
/// switch, or what stands for it. All links must be alike; nothing where they are not, or there are too many ranks.
std::optional<NetworkGraph> graph_of_stages(const Topology& topology, const Machine& machine);
constexpr Rank most_ranks_of_stages = 96;

/// The vertices of a node: its ranks, and what only they are joined to. Empty where it has no such vertex.
std::vector<flow::Vertex> node_side(const NetworkGraph& graph, const Topology& topology, std::int64_t node);

/// Links, and ports of ranks with one, that lead out of these vertices.
std::int64_t links_out_of(const NetworkGraph& graph, const Topology& topology, const std::vector<flow::Vertex>& side);

}  // namespace quadrille::cost
