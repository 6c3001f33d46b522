#include "formats/networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.hpp"
#include "cost/link_costs.hpp"

namespace quadrille::formats {

namespace {

void refuse_shared(const Topology& topology, std::string_view form) {
  if (topology.shared_medium() || topology.nodes() != topology.ranks())
    throw Error(Error::Kind::illegal,
                fmt::format("on {} all messages go through one medium, and {} has links only", topology.text(), form));
}

}  // namespace

const std::vector<NetworkFormat>& network_formats() {
  static const std::vector<NetworkFormat> all{
      {"simgrid", "a platform of SimGrid with every link and route, up to 512 ranks", simgrid_platform},
      {"slurm", "topology.conf of SLURM: a tree of switches", slurm_topology},
      {"ibnetdiscover", "what ibnetdiscover prints: switches, hosts, ports and rates", ibnetdiscover_text}};
  return all;
}

const NetworkFormat& network_format(std::string_view name) {
  std::vector<std::string> known;
  for (const NetworkFormat& one : network_formats()) {
    if (one.name == name) return one;
    known.emplace_back(one.name);
  }
  base::unknown_name("form of networks", name, "name", known);
}

/// Both directions of a wire are links of their own, as SimGrid's SPLITDUPLEX makes them. Messages take the machine's
/// bandwidth, and per_hop and the link's own latency on each link.
std::string simgrid_platform(const Topology& topology, const Machine& machine) {
  refuse_shared(topology, "a platform of SimGrid");
  constexpr Rank most = 512;
  const Rank ranks = topology.ranks();
  if (ranks > most)
    throw Error(Error::Kind::budget,
                fmt::format("{} has {} ranks, and every pair's route is written; expected at most {}", topology.text(),
                            ranks, most));
  if (!(machine.beta > 0))
    throw Error(Error::Kind::illegal,
                fmt::format("machine {} has links without a rate", base::quoted(machine.name, 60)));
  const Machine plain = cost::by_fastest_link(machine, topology);
  const cost::LinkCosts costs(plain, topology);
  std::string routes, text =
                          "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                          "<platform version=\"4.1\">\n<zone id=\"all\" routing=\"Full\">\n";
  for (Rank r = 0; r < ranks; ++r) fmt::format_to(std::back_inserter(text), "<host id=\"n{}\" speed=\"1Gf\"/>\n", r);
  std::vector<bool> used(static_cast<std::size_t>(topology.links()), false);
  std::vector<Link> path;
  for (Rank from = 0; from < ranks; ++from)
    for (Rank to = 0; to < ranks; ++to) {
      if (from == to) continue;
      path.clear();
      topology.route(from, to, path);
      fmt::format_to(std::back_inserter(routes), "<route src=\"n{}\" dst=\"n{}\" symmetrical=\"NO\">", from, to);
      for (const Link link : path) {
        used[static_cast<std::size_t>(link)] = true;
        fmt::format_to(std::back_inserter(routes), "<link_ctn id=\"l{}\"/>", link);
      }
      routes += "</route>\n";
    }
  for (std::size_t link = 0; link < used.size(); ++link)
    if (used[link]) {
      const auto l = static_cast<Link>(link);
      fmt::format_to(std::back_inserter(text), "<link id=\"l{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\"/>\n",
                     link, 1 / (plain.beta * costs.slowness(l)), plain.per_hop + costs.latency(l));
    }
  return text + routes + "</zone>\n</platform>\n";
}

}  // namespace quadrille::formats
