#include "wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.hpp"

namespace quadrille::lab {

namespace {

constexpr std::string_view families =
    "ring:P, mesh:AxB, torus:AxB, hypercube:D, crossbar:P (star:P), bus:P (ethernet:P), fattree:LxHxS, and whatever "
    "else wires hosts to each other";

void require_hosts(std::string_view text, std::int64_t hosts) {
  if (hosts < 2 || hosts > most_hosts)
    throw Error(Error::Kind::argument,
                fmt::format("network {}: {} hosts; expected 2 to {}", base::quoted(text), hosts, most_hosts));
}

/// One switch in the middle.
Wiring star(const Topology& topology, Medium medium) {
  Wiring w{.text = topology.text(), .topology = topology.text(), .medium = medium, .wires = {}, .next = {}};
  w.hosts = static_cast<int>(topology.ranks());
  w.switches = 1;
  for (int h = 0; h < w.hosts; ++h) w.wires.push_back({h, w.hosts});
  return w;
}

/// Spine d modulo S carries what is for host d, so that the ways to different hosts differ.
int fat_tree_next(int node, int to, int hosts, int per_leaf, int leaves, int spines) {
  const int leaf = hosts + to / per_leaf;
  if (node < hosts) return hosts + node / per_leaf;
  if (node >= hosts + leaves) return leaf;
  return node == leaf ? to : hosts + leaves + to % spines;
}

Wiring fat_tree(std::string_view text) {
  const std::vector<std::string_view> sizes = base::split(text.substr(text.find(':') + 1), 'x');
  if (sizes.size() != 3)
    throw Error(
        Error::Kind::argument,
        fmt::format("network {}: expected fattree:LxHxS, L leaf switches with H hosts each and S spine switches",
                    base::quoted(text)));
  const auto size = [&](std::size_t i, int most) {
    return static_cast<int>(base::parse_integer(sizes[i], 1, most, "fattree size"));
  };
  const int leaves = size(0, most_hosts), per_leaf = size(1, most_hosts), spines = size(2, 16);
  require_hosts(text, leaves * per_leaf);
  Wiring w{.text = fmt::format("fattree:{}x{}x{}", leaves, per_leaf, spines), .topology = {}, .wires = {}, .next = {}};
  w.hosts = leaves * per_leaf;
  w.switches = leaves + spines;
  w.topology = fmt::format("crossbar:{}", w.hosts);
  for (int h = 0; h < w.hosts; ++h) w.wires.push_back({h, w.hosts + h / per_leaf});
  for (int l = 0; l < leaves; ++l)
    for (int s = 0; s < spines; ++s) w.wires.push_back({w.hosts + l, w.hosts + leaves + s, true});
  w.next.resize(static_cast<std::size_t>(w.nodes()));
  for (int node = 0; node < w.nodes(); ++node)
    for (int to = 0; to < w.hosts; ++to)
      w.next[static_cast<std::size_t>(node)].push_back(
          node == to ? to : fat_tree_next(node, to, w.hosts, per_leaf, leaves, spines));
  return w;
}

}  // namespace

Wiring wiring_of(const Topology& topology) {
  Wiring w{.text = topology.text(), .topology = topology.text(), .wires = {}, .next = {}};
  w.hosts = static_cast<int>(topology.ranks());
  w.next.assign(static_cast<std::size_t>(w.hosts), std::vector<int>(static_cast<std::size_t>(w.hosts), -1));
  std::set<std::pair<int, int>> wires;
  std::vector<Link> path;
  for (int from = 0; from < w.hosts; ++from)
    for (int to = 0; to < w.hosts; ++to) {
      path.clear();
      topology.route(from, to, path);
      if (from == to) w.next[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] = to;
      for (const Link link : path) {
        const int tail = static_cast<int>(topology.tail(link)), head = static_cast<int>(topology.head(link));
        int& next = w.next[static_cast<std::size_t>(tail)][static_cast<std::size_t>(to)];
        if (next >= 0 && next != head)
          throw Error(Error::Kind::illegal,
                      fmt::format("network {}: at {} the way to {} depends on where a message comes from; hosts of a "
                                  "lab forward by destination",
                                  w.text, tail, to));
        next = head;
        wires.insert(std::minmax(tail, head));
      }
    }
  for (const auto& [a, b] : wires) w.wires.push_back({a, b});
  return w;
}

Wiring parse_wiring(std::string_view text) {
  const std::string_view family = text.substr(0, text.find(':'));
  if (family == "fattree") return fat_tree(text);
  const TopologyPtr topology =
      parse_topology(family == "star" ? fmt::format("crossbar{}", text.substr(family.size())) : std::string(text));
  const bool hosts_only = topology->nodes() == topology->ranks() && (topology->direct() || topology->shared_medium());
  if (!hosts_only)
    throw Error(Error::Kind::argument, fmt::format("network {}: a lab emulates {}", base::quoted(text), families));
  require_hosts(text, topology->ranks());
  if (topology->shared_medium()) return star(*topology, Medium::bus);
  return topology->contended() ? wiring_of(*topology) : star(*topology, Medium::bridge);
}

}  // namespace quadrille::lab
