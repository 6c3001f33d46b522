#include "cli/parts/topology_facts.hpp"

#include <algorithm>
#include <map>

#include "cost/network_graph.hpp"
#include "flow/exchange.hpp"
#include "topology/graph/network.hpp"
#include "topology/graph/routed.hpp"

namespace quadrille::cli {

namespace {

constexpr Link most_links = Link{1} << 22;
constexpr std::int64_t most_crossings = 4'000'000;  ///< ranks times links, which a complete exchange looks at

bool joins_vertices(const Topology& t) {
  return t.structure().per_node == 0 &&
         (t.structure().routed || (t.direct() && !t.shared_medium() && t.nodes() == t.ranks()));
}

}  // namespace

std::vector<LinkClass> link_classes(const Topology& t) {
  if ((t.links_alike() && t.rate() == 0) || t.links() > most_links) return {};
  std::map<std::pair<int, std::int64_t>, LinkClass> classes;
  const std::vector<std::string> kinds = t.kinds();
  for (Link link = 0; link < t.links(); ++link) {
    const Topology::LinkFacts facts = t.facts(link);
    LinkClass& c = classes[{facts.kind, facts.width}];
    c.least_latency = c.links == 0 ? facts.latency : std::min(c.least_latency, facts.latency);
    c.most_latency = std::max(c.most_latency, facts.latency);
    c.kind = kinds.at(static_cast<std::size_t>(facts.kind)), c.width = facts.width;
    ++c.links;
  }
  std::vector<LinkClass> all;
  for (const auto& [key, c] : classes) all.push_back(c);
  return all;
}

bool bisection_is_certain(const Topology& t) {
  if (!joins_vertices(t) || t.ranks() < 2 || t.links() > most_crossings / t.ranks()) return false;
  try {
    const flow::Ratio words = flow::Wide{t.bisection_ranks()} * (t.ranks() - t.bisection_ranks());
    const flow::Ratio time = flow::equal_split(cost::graph_of(topology::network_of(t)));
    return (words / time).ceil() == t.bisection();
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::budget) return false;  // fractions of more than 127 bits
    throw;
  }
}

std::string example_of(const TopologyFamily& family) {
  const std::string_view arguments = family.examples.front();
  return std::string(family.name) + (arguments.empty() ? "" : ":") + std::string(arguments);
}

std::string routes_of(const Topology& t) {
  const auto* const routed = dynamic_cast<const topology::Routed*>(&t);
  return routed == nullptr ? std::string() : std::string(routed->routing());
}

/// Seen from rank 0: some vertex is entered by links from two others that are as near.
bool takes_lowest_of_several(const Topology& t) {
  if (t.direct() || t.links() > most_links || routes_of(t) != topology::to_string(topology::Routing::shortest))
    return false;
  std::vector<std::vector<Rank>> next(static_cast<std::size_t>(t.vertices()));
  for (Link link = 0; link < t.links(); ++link) next[static_cast<std::size_t>(t.tail(link))].push_back(t.head(link));
  std::vector<std::int64_t> far(next.size(), -1);
  std::vector<Rank> order{0}, from(next.size(), -1);
  far[0] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Rank v : next[static_cast<std::size_t>(order[i])]) {
      const auto to = static_cast<std::size_t>(v);
      if (far[to] < 0) {
        far[to] = far[static_cast<std::size_t>(order[i])] + 1, from[to] = order[i];
        order.push_back(v);
      } else if (far[to] == far[static_cast<std::size_t>(order[i])] + 1 && from[to] != order[i]) {
        return true;
      }
    }
  return false;
}

}  // namespace quadrille::cli
