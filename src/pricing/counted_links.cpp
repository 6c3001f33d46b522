// Which links an argument of a lower bound counts on, so that they can be shown.
#include <algorithm>

#include "collective/traits.hpp"
#include "pricing/network_bound.hpp"
#include "pricing/network_cuts.hpp"
#include "pricing/network_ends.hpp"
#include "pricing/parties.hpp"
#include "quadrille/price.hpp"
#include "topology/grid.hpp"

namespace quadrille {

namespace {

using cost::exists, cost::NetworkGraph;
using flow::Arc;

constexpr Link most_links = 4096;  // that are looked at: more cannot be told apart in a picture

/// The arcs of a network with so much each; those between a rank and its place are its port.
template <class Times>
CountedLinks counted_arcs(const NetworkGraph& graph, const Topology& topology, Times times) {
  CountedLinks counted;
  for (std::size_t i = 0; i < graph.network.arcs().size(); ++i) {
    const Arc& arc = graph.network.arcs()[i];
    const std::int64_t here = times(i, arc);
    if (here == 0) continue;
    if (std::max(arc.from, arc.to) < topology.vertices())
      counted.links.push_back({arc.from, arc.to, here});
    else
      counted.ports.push_back(std::min(arc.from, arc.to));
  }
  std::sort(counted.ports.begin(), counted.ports.end());
  counted.ports.erase(std::unique(counted.ports.begin(), counted.ports.end()), counted.ports.end());
  return counted;
}

CountedLinks routed_cut(const Spec& spec, const NetworkGraph& graph) {
  const std::vector<flow::Vertex> side = pricing::best_cut(spec, graph).cut.side;
  const auto inside = [&](flow::Vertex v) { return std::binary_search(side.begin(), side.end(), v); };
  return counted_arcs(graph, *spec.topology,
                      [&](std::size_t, const Arc& arc) { return inside(arc.from) && !inside(arc.to) ? 1 : 0; });
}

CountedLinks routed_port(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  const pricing::RankThatBinds rank = pricing::rank_that_binds(spec, machine, graph);
  const Rank who = rank.who;
  const flow::Vertex host = graph.network.host(who);
  collective::PortNeed need = collective::traits(spec).port(spec);
  if (spec.demands) need = {buffer_bytes(spec, Buffer::out, who), buffer_bytes(spec, Buffer::in, who)};
  CountedLinks counted = counted_arcs(graph, *spec.topology, [&](std::size_t, const Arc& arc) {
    return (arc.from == host && (rank.both_ways || need.out >= need.in)) ||
                   (arc.to == host && (rank.both_ways || need.in >= need.out))
               ? 1
               : 0;
  });
  if (machine.ports == Ports::one && counted.ports.empty()) counted.ports = {graph.network.rank(host)};
  return counted;
}

CountedLinks routed_work(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  if (const pricing::Need need = pricing::need_of(spec);
      need == pricing::Need::exchange || need == pricing::Need::pairs) {
    const flow::Lengths lengths = pricing::lengths_that_bind(spec, graph);
    return counted_arcs(graph, *spec.topology,
                        [&](std::size_t i, const Arc&) { return lengths.empty() ? 0 : lengths[i]; });
  }
  const auto transfers = pricing::transfers_that_bind(spec, machine, graph);
  const bool results = pricing::need_of(spec) == pricing::Need::results;
  const pricing::PartiesThatBind parties =
      results ? pricing::parties_that_bind(spec, graph) : pricing::PartiesThatBind{};
  if (transfers && (!results || parties.time < transfers->time))
    return counted_arcs(graph, *spec.topology, [&](std::size_t, const Arc& arc) {
      return graph.network.is_host(arc.from) || graph.network.is_host(arc.to) ? 1 : 0;
    });
  const std::vector<std::int64_t>& party = parties.party;
  const auto of = [&](flow::Vertex v) { return party.empty() ? -1 : party[static_cast<std::size_t>(v)]; };
  return counted_arcs(graph, *spec.topology,
                      [&](std::size_t, const Arc& arc) { return of(arc.from) == of(arc.to) ? 0 : 1; });
}

template <class Counts>
CountedLinks counted_if(const Topology& t, Counts counts) {
  CountedLinks counted;
  for (Link link = 0; link < t.links(); ++link)
    if (exists(t, link) && counts(t.tail(link), t.head(link))) counted.links.push_back({t.tail(link), t.head(link), 1});
  return counted;
}

/// The halves of Topology::bisection(): of ranks in their order, or of a grid along one of its sides.
CountedLinks plain_cut(const Topology& t) {
  const auto attempt = [&](auto in_lower) {
    CountedLinks cut = counted_if(t, [&](Rank from, Rank to) { return in_lower(from) && !in_lower(to); });
    if (std::ssize(cut.links) != t.bisection()) cut.links.clear();
    return cut;
  };
  if (const topology::Grid* const grid = t.structure().grid) {
    const int axes = static_cast<int>(grid->sides().size());
    for (int axis = 0; axis < axes; ++axis) {
      const Rank side = grid->sides()[static_cast<std::size_t>(axis)];
      if (t.ranks() / side * (side / 2) != t.bisection_ranks()) continue;
      CountedLinks cut = attempt([&](Rank r) { return grid->coordinate(r, axis) < side / 2; });
      if (!cut.links.empty()) return cut;
    }
  }
  return attempt([&](Rank r) { return r < t.bisection_ranks(); });
}

/// Of the rank that moves most; where all move as much, of one with the fewest links.
CountedLinks plain_port(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  Rank who = spec.root;
  if (collective::traits(spec).port(spec).whose == collective::PortNeed::Whose::any)
    for (Rank r = who = 0; r < t.ranks(); ++r)
      if (t.degree_at(r) < t.degree_at(who)) who = r;
  if (machine.ports == Ports::one) return {.links = {}, .ports = {who}};
  return counted_if(t, [&](Rank from, Rank to) { return from == who || to == who; });
}

}  // namespace

CountedLinks counted_links(const Spec& spec, const Machine& machine, std::string_view part) {
  const Topology& t = *spec.topology;
  const bool one_by_one = pricing::looks_at_links(spec, machine);
  if (spec.bytes == 0 || spec.ranks() == 1 || t.links() > most_links || t.shared_medium()) return {};
  if (!one_by_one && !t.direct()) return {};  // links there have no two vertices
  if (!one_by_one && !(part == "work" && pricing::weighs_links(spec, machine))) {
    if (part == "cut") return plain_cut(t);
    if (part == "port") return plain_port(spec, machine);
    return part == "work" ? counted_if(t, [](Rank, Rank) { return true; }) : CountedLinks{};
  }
  const std::optional<NetworkGraph> graph = cost::network_graph(t, machine);
  if (!graph) return {};
  if (part == "cut") return routed_cut(spec, *graph);
  if (part == "port") return routed_port(spec, machine, *graph);
  return part == "work" ? routed_work(spec, machine, *graph) : CountedLinks{};
}

}  // namespace quadrille
