#include "pricing/network_way.hpp"

#include <algorithm>
#include <cmath>

#include "collective/traits.hpp"
#include "cost/link_costs.hpp"
#include "flow/distances.hpp"
#include "pricing/network_needs.hpp"

namespace quadrille::pricing {

namespace {

/// Picoseconds of a link, rounded down.
std::int64_t whole(Seconds time) { return static_cast<std::int64_t>(std::floor(time * 1e12)); }

/// The farthest of those that must get something of `from`; `turned` where the network is the other way round.
std::int64_t farthest(const flow::Network& network, const flow::Lengths& lengths, Rank from, Rank* who = nullptr) {
  const std::vector<std::int64_t> found = flow::distances(network, network.host(from), lengths);
  std::int64_t most = 0;
  for (Rank r = 0; r < network.ranks(); ++r)
    if (const std::int64_t far = found[static_cast<std::size_t>(network.host(r))]; far > most) {
      most = far;
      if (who != nullptr) *who = r;
    }
  return most;
}

/// Of everybody's data that goes to everybody. Where there are many ranks some stand for all: what they find is there.
std::int64_t diameter(const flow::Network& network, const flow::Lengths& lengths) {
  constexpr std::int64_t visits = std::int64_t{1} << 22;
  const auto size = static_cast<std::int64_t>(network.arcs().size()) + network.vertices();
  const std::int64_t tries = std::clamp<std::int64_t>(visits / std::max<std::int64_t>(1, size), 4, network.ranks());
  std::int64_t most = 0;
  Rank next = 0;
  if (tries < network.ranks())
    for (int i = 0; i < 2; ++i) most = std::max(most, farthest(network, lengths, next, &next));
  for (std::int64_t i = 0; i < tries; ++i)
    most = std::max(most, farthest(network, lengths, i * network.ranks() / tries));
  return most;
}

std::int64_t of_sources(const Spec& spec, const flow::Network& network, const flow::Lengths& lengths) {
  constexpr Slot many = 16;
  std::int64_t most = 0;
  for (Slot i = 0; i < std::min(many, spec.sources->count()); ++i)
    if (spec.sources->bytes(i) > 0)
      most = std::max(most, farthest(network, lengths, spec.sources->ranks[static_cast<std::size_t>(i)]));
  return most;
}

/// Of blocks of different lengths, some of which may be empty: to the first ranks that have one.
template <class Towards>
std::int64_t of_blocks(const Spec& spec, Towards towards) {
  int left = 16;
  std::int64_t most = 0;
  for (Rank r = 0; r < spec.ranks() && left > 0; ++r)
    if (buffer_bytes(spec, Buffer::out, r) > 0) most = std::max(most, towards(r)), --left;
  return most;
}

std::int64_t of_demands(const Demands& demands, const flow::Network& network, const flow::Lengths& lengths) {
  constexpr Rank many = 256;
  std::int64_t most = 0;
  for (Rank r = 0; r < std::min(many, network.ranks()); ++r) {
    const std::size_t begin = demands.sent[static_cast<std::size_t>(r)],
                      end = demands.sent[static_cast<std::size_t>(r) + 1];
    if (begin == end) continue;
    const std::vector<std::int64_t> found = flow::distances(network, network.host(r), lengths);
    for (std::size_t i = begin; i < end; ++i)
      most = std::max(most, found[static_cast<std::size_t>(network.host(demands.pairs[i].to))]);
  }
  return most;
}

std::int64_t of_pairs(const Spec& spec, const flow::Network& network, const flow::Lengths& lengths) {
  constexpr Rank many = 256;
  const auto length = [&](Rank from, Rank to) {
    return flow::distances(network, network.host(from), lengths)[static_cast<std::size_t>(network.host(to))];
  };
  if (collective::facts(spec).target) return length(spec.root, spec.target);
  if (spec.demands) return of_demands(*spec.demands, network, lengths);
  std::int64_t most = 0;
  for (Rank i = 0; i < std::min(many, spec.ranks()); ++i) {
    const Rank r = i * spec.ranks() / std::min(many, spec.ranks());
    most = std::max(most, length(r, transposed(spec, r)));
  }
  return most;
}

template <class Length>
std::int64_t farthest_needed(const Spec& spec, const Length& length) {
  const Topology& t = *spec.topology;
  const std::optional<flow::Network> network = plain_graph(t);
  if (!network) return 0;
  // Of parallel links the one that takes least counts.
  flow::Lengths lengths(network->arcs().size(), -1);
  for (Link link = 0; link < t.links(); ++link) {
    if (!exists(t, link)) continue;
    std::int64_t& known = lengths[static_cast<std::size_t>(network->find(t.tail(link), t.head(link)))];
    const std::int64_t here = length(link);
    known = known < 0 ? here : std::min(known, here);
  }
  const auto towards = [&](Rank root) {
    const flow::Network turned = network->reversed();
    flow::Lengths back(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i)
      back[static_cast<std::size_t>(turned.find(network->arcs()[i].to, network->arcs()[i].from))] = lengths[i];
    return farthest(turned, back, root);
  };
  switch (need_of(spec)) {
    case Need::spread:
      if (spec.sources) return of_sources(spec, *network, lengths);
      return collective::facts(spec).root ? farthest(*network, lengths, spec.root) : diameter(*network, lengths);
    case Need::collect:
      if (spec.offsets) return of_blocks(spec, towards);
      return collective::facts(spec).root ? towards(spec.root) : diameter(*network, lengths);
    case Need::from_root:
      return farthest(*network, lengths, spec.root);
    case Need::to_root:
      return towards(spec.root);
    case Need::prefixes:
      return std::max(farthest(*network, lengths, 0), towards(spec.ranks() - 1));
    case Need::results:
    case Need::exchange:
      return diameter(*network, lengths);
    case Need::pairs:
      break;
  }
  return of_pairs(spec, *network, lengths);
}

}  // namespace

int farthest_in_links(const Spec& spec) {
  return std::max(1, static_cast<int>(farthest_needed(spec, [](Link) { return 1; })));
}

Seconds farthest_way(const Spec& spec, const Machine& machine, bool with_hops) {
  const cost::LinkCosts costs(machine, *spec.topology);
  const Seconds hop = with_hops ? machine.per_hop : 0;
  if (costs.alike()) return hop == 0 ? 0 : hop * farthest_in_links(spec);
  const std::int64_t far = farthest_needed(spec, [&](Link link) { return whole(hop + costs.latency(link)); });
  return static_cast<double>(std::max<std::int64_t>(0, far - 1)) * 1e-12;  // prices round to whole ones
}

Seconds least_alpha_between_nodes(const Topology& t, const Machine& machine) {
  const cost::LinkCosts costs(machine, t);
  const Rank per_node = t.structure().per_node;
  if (per_node <= 1 || costs.alike() || t.links() > most_links) return costs.least_alpha();
  constexpr std::int64_t unknown = -1, several = -2;
  std::vector<std::int64_t> node(static_cast<std::size_t>(t.vertices()), unknown);
  for (Rank r = 0; r < t.ranks(); ++r) node[static_cast<std::size_t>(r)] = r / per_node;
  for (Link link = 0; link < t.links(); ++link) {  // what joins ranks of one node is part of it
    if (!exists(t, link) || t.tail(link) >= t.ranks() || t.head(link) < t.ranks()) continue;
    std::int64_t& at = node[static_cast<std::size_t>(t.head(link))];
    const std::int64_t here = t.tail(link) / per_node;
    at = at == unknown || at == here ? here : several;
  }
  Seconds least = machine.alpha;
  for (Link link = 0; link < t.links(); ++link) {
    if (!exists(t, link)) continue;
    const std::int64_t from = node[static_cast<std::size_t>(t.tail(link))];
    if (from >= 0 && from != node[static_cast<std::size_t>(t.head(link))]) least = std::min(least, costs.alpha(link));
  }
  return least;
}

}  // namespace quadrille::pricing
