// Wires and next hops as the library's topologies have them, whole and with links that failed.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "topology/graph/routed.hpp"
#include "wiring.hpp"

namespace quadrille::lab {

namespace {

/// Ranks of a node, and its memory, are one host; switches follow.
class Places {
 public:
  explicit Places(const Topology& topology) : ranks_(topology.ranks()), per_node_(topology.structure().per_node) {}

  int node(std::int64_t vertex) const {
    if (per_node_ == 0) return static_cast<int>(vertex);
    return static_cast<int>(vertex < ranks_ ? vertex / per_node_ : vertex - ranks_);
  }
  Rank per_host() const { return std::max<Rank>(per_node_, 1); }
  int hosts() const { return static_cast<int>(ranks_ / per_host()); }
  int nodes(const Topology& topology) const {
    return static_cast<int>(topology.vertices() - (per_node_ > 0 ? ranks_ : 0));
  }

 private:
  Rank ranks_, per_node_;
};

/// The two nodes of a wire, the lower first.
std::pair<int, int> ends(const Wire& wire) { return std::minmax({wire.a, wire.b}); }

/// Both directions of a wire by the lesser number of its links.
Link wire_of(const Topology& topology, Link link) {
  const Link back = topology.reverse(link);
  const bool pair = back != link && topology.tail(back) == topology.head(link) &&
                    topology.head(back) == topology.tail(link) && topology.facts(back) == topology.facts(link);
  return pair ? std::min(link, back) : link;
}

/// All links between two nodes: of a topology whose routes are its own those that a route crosses, as it numbers some
/// that do not exist.
std::set<Link> links_between_nodes(const Topology& topology, const Places& places) {
  std::set<Link> links;
  const auto add = [&](Link link) {
    if (places.node(topology.tail(link)) != places.node(topology.head(link))) links.insert(wire_of(topology, link));
  };
  if (topology.structure().routed) {
    for (Link link = 0; link < topology.links(); ++link) add(link);
    return links;
  }
  std::vector<Link> path;
  for (Rank from = 0; from < topology.ranks(); ++from)
    for (Rank to = 0; to < topology.ranks(); ++to) topology.route(from, to, path);
  std::for_each(path.begin(), path.end(), add);
  return links;
}

/// Wires in the order of their nodes, and the wire of each link.
std::map<Link, int> add_wires(Wiring& w, const Topology& topology, const Places& places) {
  std::vector<std::pair<Wire, Link>> found;
  for (const Link link : links_between_nodes(topology, places)) {
    const Topology::LinkFacts facts = topology.facts(link);
    const int tail = places.node(topology.tail(link)), head = places.node(topology.head(link));
    const Link back = topology.reverse(link);
    const bool one_way = back == link || wire_of(topology, back) != link;
    const auto [a, b] = one_way ? std::pair(tail, head) : std::minmax({tail, head});
    found.push_back({{.a = a,
                      .b = b,
                      .trunk = std::min(a, b) >= w.hosts,
                      .width = facts.width,
                      .kind = facts.kind,
                      .one_way = one_way},
                     link});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return ends(x.first) < ends(y.first); });
  std::map<Link, int> numbers;
  for (auto& [wire, link] : found) {
    if (!w.wires.empty() && ends(w.wires.back()) == ends(wire)) wire.which = w.wires.back().which + 1;
    numbers[link] = static_cast<int>(w.wires.size());
    if (!wire.one_way) numbers[topology.reverse(link)] = numbers[link];
    w.wires.push_back(wire);
  }
  return numbers;
}

/// Follows the routes between the first ranks of all hosts.
void add_next_hops(Wiring& w, const Topology& topology, const Places& places, const std::map<Link, int>& numbers) {
  w.next.assign(static_cast<std::size_t>(w.nodes()), std::vector<int>(static_cast<std::size_t>(w.hosts), -1));
  std::vector<Link> path;
  for (int from = 0; from < w.hosts; ++from)
    for (int to = 0; to < w.hosts; ++to) {
      path.clear();
      topology.route(from * w.per_host, to * w.per_host, path);
      for (const Link link : path) {
        const int tail = places.node(topology.tail(link)), head = places.node(topology.head(link));
        if (tail == head) continue;
        int& next = w.next[static_cast<std::size_t>(tail)][static_cast<std::size_t>(to)];
        const int wire = numbers.at(link);
        if (next >= 0 && next != wire)
          throw Error(Error::Kind::illegal,
                      fmt::format("network {}: at {} the way to {} depends on where a message comes from; hosts of a "
                                  "lab forward by destination",
                                  w.text, node_label(w, tail), to));
        next = wire;
      }
    }
}

/// The name of a node where failures are said.
std::string planners_name(const Topology& topology, int node) {
  const auto* const routed = dynamic_cast<const topology::Routed*>(&topology);
  return routed == nullptr ? std::to_string(node) : routed->vertex_name(node);
}

/// "torus:2x2*2" without wires is "torus:2x2!0-1*2". Of several between two nodes the last ones are named first, so
/// that numbers of those before them stay what they were.
std::string text_without(const Wiring& whole, const std::set<int>& failed) {
  const std::size_t star = std::min(whole.topology.find('*'), whole.topology.size());
  const std::string network = whole.topology.substr(0, star);
  const TopologyPtr topology = parse_topology(network);
  std::string list;
  for (auto at = failed.rbegin(); at != failed.rend(); ++at) {
    const Wire& wire = whole.wires[static_cast<std::size_t>(*at)];
    const bool several = std::any_of(whole.wires.begin(), whole.wires.end(), [&](const Wire& other) {
      return other.which != wire.which && ends(other) == ends(wire);
    });
    list += fmt::format("{}{}-{}{}", list.empty() ? "!" : ",", planners_name(*topology, wire.a),
                        planners_name(*topology, wire.b), several ? fmt::format("#{}", wire.which) : "");
  }
  return network + list + whole.topology.substr(star);
}

/// The number of each wire of what is left in the whole.
std::vector<int> numbers_in_whole(const Wiring& left, const Wiring& whole, const std::set<int>& failed) {
  std::vector<int> numbers;
  std::size_t at = 0;
  for (const Wire& wire : left.wires) {
    while (at < whole.wires.size() && failed.contains(static_cast<int>(at))) ++at;
    if (at == whole.wires.size() || ends(whole.wires[at]) != ends(wire) || whole.wires[at].width != wire.width)
      throw Error(Error::Kind::internal, fmt::format("network {}: has other wires than {}", left.text, whole.text));
    numbers.push_back(static_cast<int>(at++));
  }
  return numbers;
}

}  // namespace

Wiring wiring_of(const Topology& topology) {
  const Places places(topology);
  Wiring w{.text = topology.text(), .topology = topology.text(), .wires = {}, .next = {}};
  w.hosts = places.hosts();
  w.switches = places.nodes(topology) - w.hosts;
  w.per_host = static_cast<int>(places.per_host());
  w.kinds = topology.kinds();
  w.stated = 8 * topology.rate();
  add_next_hops(w, topology, places, add_wires(w, topology, places));
  return w;
}

Wiring around(const Wiring& whole, const std::set<int>& failed) {
  if (failed.empty()) return whole;
  const Wire& first = whole.wires[static_cast<std::size_t>(*failed.begin())];
  const auto refuse = [&](std::string_view why) {
    throw Error(Error::Kind::illegal,
                fmt::format("{}: {}; with --keep-routes its messages are lost", wire_name(whole, first), why));
  };
  if (whole.medium != Medium::wires) refuse("is the only way to its host");
  TopologyPtr topology;
  try {
    topology = parse_topology(text_without(whole, failed));
  } catch (const Error& error) {
    refuse(error.what());
  }
  const Wiring left = wiring_of(*topology);
  const std::vector<int> numbers = numbers_in_whole(left, whole, failed);
  Wiring w = whole;
  w.topology = left.topology;
  w.next = left.next;
  for (std::vector<int>& row : w.next)
    for (int& wire : row)
      if (wire >= 0) wire = numbers[static_cast<std::size_t>(wire)];
  return w;
}

}  // namespace quadrille::lab
