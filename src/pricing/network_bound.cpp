#include "pricing/network_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "cost/link_costs.hpp"
#include "flow/exchange_optimum.hpp"
#include "pricing/network_cuts.hpp"
#include "pricing/network_ends.hpp"
#include "pricing/network_way.hpp"
#include "pricing/parties.hpp"

namespace quadrille::pricing {

namespace {

using flow::Ratio;
using flow::Vertex;
using flow::Wide;

/// What turning bandwidths into whole capacities, and sums of rounds, may have added. [network_graph.cpp]
constexpr double rounding = 1 - 4e-9;

/// Bytes on a link of slowness 1 that take as long as `amount` bytes for each unit of capacity. Counts are whole.
Bytes plain_bytes(const NetworkGraph& graph, const Ratio& amount) {
  constexpr double most = 4e18;
  if (graph.whole && amount.value() < most) return flow::narrow(amount.ceil());
  const double bytes = amount.value() * graph.unit;
  if (!(bytes < most)) throw Error(Error::Kind::budget, "bytes over the links of a cut do not fit 62 bits");
  return static_cast<Bytes>(std::ceil(bytes * rounding));
}

Bound::Part part(std::string name, std::string why, Bytes bytes, const Machine& machine) {
  return {std::move(name), std::move(why), static_cast<double>(bytes) * machine.beta, 0, bytes};
}

std::string some(std::int64_t n, std::string_view thing) {
  return fmt::format("{} {}{}", base::format_count(n), thing, n == 1 ? "" : "s");
}

/// "rank 3", "8 ranks (0-7)", "5 ranks (0-2, 7, 9)".
std::string names(const std::vector<Rank>& ranks) {
  constexpr int most_runs = 8;
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  std::string text;
  int runs = 0;
  for (std::size_t i = 0, end = 0; i < ranks.size(); i = end) {
    for (end = i + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;) ++end;
    if (++runs > most_runs) {
      text += ", ..";
      break;
    }
    text += text.empty() ? "" : ", ";
    text += end == i + 1 ? std::to_string(ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[end - 1]);
  }
  return fmt::format("{} ranks ({})", base::format_count(std::ssize(ranks)), text);
}

std::string amount_text(Wide bytes) {
  constexpr Wide most = std::int64_t{1} << 62;
  return bytes < most ? base::format_bytes(static_cast<Bytes>(bytes))
                      : fmt::format("{:.3g} B", static_cast<double>(bytes));
}

/// The cut by its smaller side: who must hand out, or take in, how much over what.
std::string describe(const Spec& spec, const Machine& machine, const NetworkGraph& graph, const NeededCut& needed) {
  std::vector<Rank> inside, outside;
  for (Rank r = 0; r < spec.ranks(); ++r) {
    const bool in = std::binary_search(needed.cut.side.begin(), needed.cut.side.end(), graph.network.host(r));
    (in ? inside : outside).push_back(r);
  }
  const bool hands_out = !inside.empty() && (inside.size() <= outside.size() || outside.empty());
  const std::vector<Rank>& ranks = hands_out ? inside : outside;
  const std::int64_t links = links_out_of(graph, *spec.topology, needed.cut.side);
  const std::int64_t ways = links > 0 ? links : std::ssize(ranks);  // where ports bind, the cut goes through these
  std::string text =
      fmt::format("{} must {} {} over {}", names(ranks), hands_out ? "hand out" : "take in",
                  amount_text(flow::multiply(needed.cut.demand, needed.word)), some(ways, links > 0 ? "link" : "port"));
  if (graph.whole || machine.beta == 0) return text;
  const double rate = static_cast<double>(needed.cut.out) / (graph.unit * machine.beta);
  return text + fmt::format(" of {:.3g} GB/s{}", rate * 1e-9, ways == 1 ? "" : " together");
}

Bound::Part cut(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  const NeededCut needed = best_cut(spec, graph);
  if (needed.cut.demand == 0) return part("cut", "nothing must cross a cut", 0, machine);
  return part("cut", describe(spec, machine, graph, needed), plain_bytes(graph, needed.cut.time() * Ratio(needed.word)),
              machine);
}

/// The optimum of an exchange, or nearly; found once for each network, as plans ask for many sizes.
const flow::ExchangeBracket& narrow_exchange(const flow::Network& network, const flow::Wants& wants) {
  using Key = std::vector<std::int64_t>;
  constexpr std::size_t most_kept = 64;
  constexpr flow::ExchangeEffort effort{.gap = 0.01, .visits = std::int64_t{1} << 25};
  thread_local std::map<Key, flow::ExchangeBracket> known;
  Key key(network.hosts().begin(), network.hosts().end());
  key.push_back(-1);
  for (const flow::Arc& arc : network.arcs()) key.insert(key.end(), {arc.from, arc.to, arc.capacity});
  key.insert(key.end(), wants.words.begin(), wants.words.end());
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() >= most_kept) known.clear();
  return known.emplace(std::move(key), flow::exchange_within(network, effort, wants)).first->second;
}

/// What must pass the links of one rank, or its port; of the rank where that takes longest if all ranks must.
Bound::Part port(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  const RankThatBinds rank = rank_that_binds(spec, machine, graph);
  return part("port",
              fmt::format("rank {} must move {} through its {}", rank.who, base::format_bytes(rank.moved),
                          machine.ports == Ports::one ? "port" : "links"),
              plain_bytes(graph, rank.time), machine);
}

/// Every transfer keeps wires or ports at both of its ends busy.
Bound::Part transfer_work(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  const auto transfers = transfers_that_bind(spec, machine, graph);
  if (!transfers) return part("work", "", 0, machine);
  return part("work",
              fmt::format("{} transfers of {} each keep {} at both ends busy, of {}", flow::wide_text(transfers->count),
                          base::format_bytes(transfers->bytes), machine.ports == Ports::one ? "ports" : "wires",
                          some(spec.ranks(), "rank")),
              plain_bytes(graph, transfers->time), machine);
}

/// What is known of the optimum above the bound.
std::string how_near(const flow::ExchangeBracket& bracket) {
  const double gap = bracket.upper.value() / bracket.lower.value() - 1;
  return gap < 1e-9 ? "flows along several ways reach it" : fmt::format("flows reach {:.2g} % more", 100 * gap);
}

/// Whether lengths of an exchange are looked for.
bool small_enough(const Spec& spec, const NetworkGraph& graph) {
  constexpr std::int64_t visits = std::int64_t{1} << 23;
  const auto size = static_cast<std::int64_t>(graph.network.arcs().size()) + graph.network.vertices();
  return size <= visits / spec.ranks();
}

/// Where all links count alike, and all are as fast as one of slowness 1, lengths of 1 say as much as any.
bool all_count_alike(const NetworkGraph& graph, const Ratio& alike, const flow::ExchangeBracket& best) {
  return alike >= best.lower && graph.whole;
}

Ratio bound_of_alike(const NetworkGraph& graph, const flow::Wants& wants) {
  return flow::exchange_bound(graph.network, flow::Lengths(graph.network.arcs().size(), 1), wants);
}

/// What all pairs' words take of links, each crossing weighed by lengths of links: of one each, or of those that bind
/// most.
Bound::Part exchange_work(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  if (!small_enough(spec, graph)) return part("work", "", 0, machine);
  const auto [wants, word] = wants_of(spec);
  const flow::ExchangeBracket& best = narrow_exchange(graph.network, wants);
  const Ratio alike = bound_of_alike(graph, wants);
  const bool uneven = !wants.words.empty();
  const std::int64_t pairs =
      uneven ? std::ssize(collective::traits(spec).pairs(spec)) : spec.ranks() * (spec.ranks() - 1);
  std::string why = fmt::format(
      "the blocks of {} keep {} busy, each as much as it binds; {}", some(pairs, "pair"),
      some(std::count_if(best.lengths.begin(), best.lengths.end(), [](std::int64_t length) { return length > 0; }),
           "link"),
      how_near(best));
  if (all_count_alike(graph, alike, best)) {
    std::int64_t links = 0;
    for (const flow::Arc& arc : graph.network.arcs()) links += arc.capacity;
    const Ratio crossings = alike * Ratio(links) * Ratio(uneven ? word : 1);
    why = fmt::format("{} {} crossings over {} links that can be busy at once", flow::wide_text(crossings.floor()),
                      uneven ? "byte" : "block", base::format_count(links));
  }
  return part("work", why, plain_bytes(graph, best.lower * Ratio(word)), machine);
}

/// An all-reduce passes 2 (n - 1) vectors between n parties, each out of one and into another: before some party has
/// the result all others have sent, and then these must receive. Parties are ranks, nodes, or groups of ranks.
Bound::Part result_work(const Spec& spec, const Machine& machine, const NetworkGraph& graph) {
  const PartiesThatBind parties = parties_that_bind(spec, graph);
  return part("work", parties.why, plain_bytes(graph, parties.time), machine);
}

}  // namespace

flow::Lengths lengths_that_bind(const Spec& spec, const NetworkGraph& graph) {
  if (!small_enough(spec, graph)) return {};
  const flow::Wants wants = wants_of(spec).first;
  const flow::ExchangeBracket& best = narrow_exchange(graph.network, wants);
  if (all_count_alike(graph, bound_of_alike(graph, wants), best)) return flow::Lengths(graph.network.arcs().size(), 1);
  return best.lengths;
}

namespace {

/// A link straight across the diagonal weighs 2, one between ranks on it nothing, others 1: then all ways weigh 2.
Bound::Part joined_work(const Spec& spec, const Machine& machine) {
  const Rank ranks = spec.ranks(), side = base::nearest_root(ranks);
  const Bytes bytes = base::ceil_div(base::checked_multiply(2, spec.bytes, "bytes"), ranks + side);
  return part("work",
              fmt::format("the blocks of {} take one link straight or two by way of others, of {}",
                          some(ranks - side, "rank"), some(ranks * (ranks - 1) - side * (side - 1), "link")),
              bytes, machine);
}

/// The first link of every rank weighs 1, and so do those in the middle that rows share: then all ways weigh 2, as a
/// way that avoids them goes by way of another rank.
Bound::Part middle_work(const Spec& spec, const Machine& machine) {
  const Rank ranks = spec.ranks(), side = base::nearest_root(ranks);
  const Wide twice = flow::multiply(2 * (ranks - side), spec.bytes);
  return part("work",
              fmt::format("the blocks of {} meet on {} in the middle, or take the first links of {} twice",
                          some(ranks - side, "rank"), some(side, "link"), some(ranks, "rank")),
              flow::narrow(Ratio(twice, ranks + side).ceil()), machine);
}

}  // namespace

std::optional<Bound::Part> weighed_links(const Spec& spec, const Machine& machine) {
  if (joins_all(spec, machine)) return joined_work(spec, machine);
  if (meets_in_the_middle(spec)) return middle_work(spec, machine);
  const std::optional<NetworkGraph> graph = spec.topology->structure().stages
                                                ? cost::graph_of_stages(*spec.topology, machine)
                                                : network_graph(*spec.topology, machine);
  if (!graph) return {};
  return exchange_work(spec, machine, *graph);
}

std::vector<Bound::Part> network_volume(const Spec& spec, const Machine& machine) {
  const std::optional<NetworkGraph> graph = network_graph(*spec.topology, machine);
  if (!graph) return {part("port", "there are too many links to look at them one by one", 0, machine)};
  std::vector<Bound::Part> parts{cut(spec, machine, *graph), port(spec, machine, *graph)};
  const Need need = need_of(spec);
  if (need == Need::exchange || (need == Need::pairs && !collective::facts(spec).target))
    parts.push_back(exchange_work(spec, machine, *graph));
  if (need == Need::results) parts.push_back(result_work(spec, machine, *graph));
  if (Bound::Part transfers = transfer_work(spec, machine, *graph); need != Need::results)
    parts.push_back(std::move(transfers));
  else if (transfers.bytes > parts.back().bytes)
    parts.back() = std::move(transfers);
  if (parts.back().bytes == 0 && parts.size() > 2) parts.pop_back();
  return parts;
}

Seconds latency_of_links(const Spec& spec, const Machine& machine, std::int64_t rounds, std::int64_t ports) {
  const Topology& t = *spec.topology;
  const cost::LinkCosts costs(machine, t);
  if (costs.alike()) return 0;
  Seconds between_nodes = 0;
  const Rank per_node = t.structure().per_node;
  if (per_node > 1 && need_of(spec) != Need::pairs && !machine.has_overhead()) {
    // In a start-up a node reaches per_node * ports others, by messages that cross links between nodes.
    std::int64_t least = 0;
    const double factor = static_cast<double>(per_node * ports + 1);
    for (double reached = 1; reached < static_cast<double>(t.ranks() / per_node); reached *= factor) ++least;
    between_nodes = static_cast<double>(std::min(least, rounds)) *
                    std::max(0.0, least_alpha_between_nodes(t, machine) - costs.least_alpha());
  }
  return std::max(between_nodes, farthest_way(spec, machine, false));
}

}  // namespace quadrille::pricing
