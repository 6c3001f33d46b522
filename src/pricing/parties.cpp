#include "pricing/parties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "flow/shared_trees.hpp"

namespace quadrille::pricing {

using flow::Ratio;
using flow::Vertex;

namespace {

using Parties = std::vector<std::vector<Vertex>>;

/// The best of all parties where links lead both ways, and the network is small enough; found once for each.
Parties best_parties(const flow::Network& network) {
  constexpr std::int64_t most_looks = std::int64_t{1} << 19;
  constexpr std::size_t most_kept = 64;
  thread_local std::map<std::vector<std::int64_t>, Parties> known;
  if (flow::shared_trees_looks(network) > most_looks || !flow::leads_both_ways(network)) return {};
  std::vector<std::int64_t> key(network.hosts().begin(), network.hosts().end());
  for (const flow::Arc& arc : network.arcs()) key.insert(key.end(), {arc.from, arc.to, arc.capacity});
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() >= most_kept) known.clear();
  return known.emplace(std::move(key), flow::shared_trees(network).parties).first->second;
}

Parties nodes_of(const Spec& spec, const NetworkGraph& graph) {
  Parties parties;
  for (std::int64_t node = 0; node < graph.nodes; ++node) {
    parties.push_back(node_side(graph, *spec.topology, node));
    if (parties.back().empty()) return {};
  }
  return parties;
}

/// How long 2 (n - 1) vectors take that leave parties, and enter them.
PartiesThatBind between(const Parties& parties, std::string_view thing, const Spec& spec, const NetworkGraph& graph) {
  const std::int64_t times = 2 * (std::ssize(parties) - 1);
  if (times <= 0) return {};
  std::vector<std::vector<std::int64_t>> of(static_cast<std::size_t>(graph.network.vertices()));
  for (std::size_t i = 0; i < parties.size(); ++i)
    for (const Vertex v : parties[i]) of[static_cast<std::size_t>(v)].push_back(static_cast<std::int64_t>(i));
  const auto without = [&](Vertex v, Vertex other) {  // parties of one that the other is not in
    const auto& there = of[static_cast<std::size_t>(other)];
    const auto& here = of[static_cast<std::size_t>(v)];
    return std::count_if(here.begin(), here.end(), [&](std::int64_t party) {
      return std::find(there.begin(), there.end(), party) == there.end();
    });
  };
  std::int64_t out = 0, in = 0;
  for (const flow::Arc& arc : graph.network.arcs()) {
    out += arc.capacity * without(arc.from, arc.to);
    in += arc.capacity * without(arc.to, arc.from);
  }
  if (std::min(out, in) == 0) return {};
  std::vector<std::int64_t> first;
  for (const auto& here : of) first.push_back(here.empty() ? -1 : here.front());
  return {std::move(first),
          fmt::format("{} vectors of {} pass between {} {}, over all their links together", base::format_count(times),
                      base::format_bytes(spec.bytes), base::format_count(std::ssize(parties)), thing),
          Ratio(flow::multiply(times, spec.bytes), std::min(out, in))};
}

}  // namespace

PartiesThatBind parties_that_bind(const Spec& spec, const NetworkGraph& graph) {
  Parties ranks;
  for (const Vertex host : graph.network.hosts()) ranks.push_back({host});
  PartiesThatBind best = between(ranks, "ranks", spec, graph);
  for (PartiesThatBind& other : std::array{between(nodes_of(spec, graph), "nodes", spec, graph),
                                           between(best_parties(graph.network), "groups of ranks", spec, graph)})
    if (other.time > best.time) best = std::move(other);
  return best;
}

}  // namespace quadrille::pricing
