#include "quadrille/topology.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille {

namespace {

/// What the papers call families that have another name here.
constexpr std::pair<std::string_view, std::string_view> papers_names[] = {{"switch", "crossbar"},
                                                                          {"shared-memory", "memory"}};

std::string_view our_name(std::string_view name) {
  for (const auto& [theirs, ours] : papers_names)
    if (name == theirs) return ours;
  return name;
}

}  // namespace

Rank Topology::farthest(Rank from) const {
  Rank far = from == 0 ? 1 : 0;
  for (Rank r = 0; r < ranks() && distance(from, far) < diameter(); ++r)
    if (r != from && distance(from, r) > distance(from, far)) far = r;
  return far;
}

std::string Topology::name(Link link) const { return fmt::format("{}->{}", tail(link), head(link)); }

const std::vector<TopologyFamily>& topology_families() {
  static const std::vector<TopologyFamily> families{
      topology::crossbar_family(), topology::hypercube_family(), topology::ring_family(),     topology::mesh_family(),
      topology::torus_family(),    topology::bus_family(),       topology::ethernet_family(), topology::memory_family(),
      topology::omega_family(),    topology::fly_family(),       topology::bifly_family()};
  return families;
}

TopologyPtr parse_topology(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = our_name(text.substr(0, colon));
  for (const TopologyFamily& family : topology_families())
    if (family.name == name) {
      if (colon == std::string_view::npos)
        throw Error(Error::Kind::argument,
                    fmt::format("topology {}: a size is missing; expected {}", base::quoted(text), family.form));
      return family.make(text.substr(colon + 1));
    }
  std::vector<std::string> known;
  for (const TopologyFamily& family : topology_families()) known.emplace_back(family.form);
  base::unknown_name("topology", name, "family", known);
}

}  // namespace quadrille
