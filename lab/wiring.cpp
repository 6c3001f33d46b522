#include "wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/text.hpp"

namespace quadrille::lab {

namespace {

constexpr std::string_view families =
    "ring:P, mesh:AxB, torus:AxB, hypercube:D, crossbar:P (star:P), bus:P (ethernet:P), fattree:LxHxS, and whatever "
    "else "
    "joins hosts and switches, such as star:4*2, xgft:2;4,2;1,1 or graph:FILE";

void require_hosts(std::string_view text, std::int64_t hosts) {
  if (hosts < 2 || hosts > most_hosts)
    throw Error(Error::Kind::argument,
                fmt::format("network {}: {} hosts; expected 2 to {}", base::quoted(text), hosts, most_hosts));
}

void require_size(std::string_view text, const Topology& topology) {
  const Rank per_host = std::max<Rank>(topology.structure().per_node, 1);
  require_hosts(text, topology.ranks() / per_host);
  const std::vector<std::string> kinds = topology.kinds();
  if (std::find(kinds.begin(), kinds.end(), "node") != kinds.end())
    throw Error(Error::Kind::argument,
                fmt::format("network {}: hosts of a lab have one memory each; expected ranks on nodes once, as in "
                            "star:4*8",
                            base::quoted(text)));
  const std::int64_t nodes = topology.vertices() - (topology.structure().per_node > 0 ? topology.ranks() : 0);
  if (topology.ranks() > most_ranks || nodes > most_nodes)
    throw Error(Error::Kind::argument,
                fmt::format("network {}: {} ranks, {} hosts and switches; expected at most {} and {}",
                            base::quoted(text), topology.ranks(), nodes, most_ranks, most_nodes));
}

/// One switch in the middle.
Wiring one_switch(const Topology& topology, Medium medium) {
  Wiring w{.text = topology.text(), .topology = topology.text(), .medium = medium, .wires = {}, .next = {}};
  w.hosts = static_cast<int>(topology.ranks());
  w.switches = 1;
  for (int h = 0; h < w.hosts; ++h) w.wires.push_back({.a = h, .b = w.hosts});
  return w;
}

/// Where a family's arguments end, and what has failed, jobs and ranks on nodes begin.
std::size_t end_of_family(std::string_view text) {
  return std::min({text.find_first_of("!@~*"), text.find(":routes="), text.size()});
}

/// "fattree:LxHxS" is what the planner calls "xgft:2;H,L;1,S"; a fat tree of one number, or with a slash, is its own.
std::string by_planners_name(std::string_view text) {
  const std::size_t end = end_of_family(text);
  const std::string_view changes = text.substr(end);
  text = text.substr(0, end);
  const std::string_view family = text.substr(0, text.find(':'));
  if (family == "star" && changes.empty()) return fmt::format("crossbar{}", text.substr(family.size()));
  const std::string_view arguments = family.size() < text.size() ? text.substr(family.size() + 1) : std::string_view();
  if (family != "fattree" || arguments.find('x') == std::string_view::npos) return fmt::format("{}{}", text, changes);
  const std::vector<std::string_view> sizes = base::split(arguments, 'x');
  if (sizes.size() != 3)
    throw Error(
        Error::Kind::argument,
        fmt::format("network {}: expected fattree:LxHxS, L leaf switches with H hosts each and S spine switches",
                    base::quoted(text)));
  const auto size = [&](std::size_t i, int most) { return base::parse_integer(sizes[i], 1, most, "fattree size"); };
  const Rank leaves = size(0, most_hosts), per_leaf = size(1, most_hosts), spines = size(2, 16);
  require_hosts(text, leaves * per_leaf);
  return fmt::format("xgft:2;{},{};1,{}{}", per_leaf, leaves, spines, changes);
}

/// A file is read again whenever the lab is looked at, from whatever folder.
std::string with_whole_path(std::string_view text) {
  constexpr std::string_view family = "graph:";
  if (!text.starts_with(family) || text.size() == family.size() || text[family.size()] == '/') return std::string(text);
  std::string here;
  for (const char c : std::filesystem::current_path().string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/._-+=,").find(c) != std::string_view::npos;
    here += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("{}{}/{}", family, here, text.substr(family.size()));
}

}  // namespace

Wiring parse_wiring(std::string_view text) {
  const std::string asked = with_whole_path(text);
  const TopologyPtr topology = parse_topology(by_planners_name(asked));
  const bool hosts_only = topology->nodes() == topology->ranks() && (topology->direct() || topology->shared_medium());
  if (!hosts_only && !topology->structure().routed)
    throw Error(Error::Kind::argument, fmt::format("network {}: a lab emulates {}", base::quoted(text), families));
  require_size(text, *topology);
  if (topology->shared_medium()) return one_switch(*topology, Medium::bus);
  if (!topology->contended()) return one_switch(*topology, Medium::bridge);
  Wiring wiring = wiring_of(*topology);
  if (std::ssize(wiring.wires) > most_wires)
    throw Error(Error::Kind::argument, fmt::format("network {}: {} wires; expected at most {}", base::quoted(text),
                                                   wiring.wires.size(), most_wires));
  if (text.starts_with("fattree:")) wiring.text = asked;
  return wiring;
}

std::string node_label(const Wiring& wiring, int node) {
  return node < wiring.hosts ? fmt::format("{}", node) : fmt::format("s{}", node - wiring.hosts);
}

std::string wire_name(const Wiring& wiring, const Wire& wire) {
  return fmt::format("{}-{}{}", node_label(wiring, wire.a), node_label(wiring, wire.b),
                     wire.which > 1 ? fmt::format("#{}", wire.which) : "");
}

}  // namespace quadrille::lab
