// Lower bounds: what every schedule of a collective must pay on a machine, whatever it does.
//
// Under lockstep pricing T = sum over rounds of (start-up + beta * busiest resource), so T >= R_min * start-up +
// beta * W_min with separate bounds on rounds and volume. [docs/how-it-works/prices.md]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "cost/link_costs.hpp"
#include "pricing/exchange.hpp"
#include "pricing/medium.hpp"
#include "pricing/network_bound.hpp"
#include "pricing/network_needs.hpp"
#include "pricing/network_way.hpp"
#include "quadrille/price.hpp"

namespace quadrille {

namespace {

using collective::Flow;

/// The machine as bounds see it.
struct NetworkFacts {
  std::int64_t ranks, degree;
  std::int64_t ports, least_ports;  ///< messages a rank sends or receives at once: the best and the worst placed rank
  bool half, relays;                ///< relays: store-and-forward, a message crosses one link a round
  bool turns;  ///< a rank's messages may take turns at its links: a start-up each, in a round whose way counts once
  const Topology& topology;
};

NetworkFacts network_of(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  const bool one = machine.ports == Ports::one;
  return {t.ranks(),
          t.degree(),
          one ? 1 : t.degree(),
          one ? 1 : t.least_degree(),
          machine.duplex != Duplex::full && t.direct() && !t.structure().routed,  // there wires may go one way only
          machine.switching == Switching::store_and_forward && t.direct(),
          !one && !(machine.switching == Switching::store_and_forward && t.direct()),
          t};
}

/// Smallest R with (1 + ports)^R >= ranks: who can know of a rank, or who a rank can know of, grows no faster.
std::int64_t rounds_to_reach_all(std::int64_t ranks, std::int64_t ports) {
  std::int64_t rounds = 0;
  for (double reached = 1; reached < static_cast<double>(ranks); reached *= static_cast<double>(ports + 1)) ++rounds;
  return rounds;
}

/// "1 round", "3 rounds".
std::string some(std::int64_t n, std::string_view thing) {
  return fmt::format("{} {}{}", base::format_count(n), thing, n == 1 ? "" : "s");
}

std::string why_so_long(const Spec& spec, const NetworkFacts& n, bool by_distance, std::int64_t rounds, int far) {
  if (by_distance) return fmt::format("data must cross {}, one a round", some(far, "link"));
  if (collective::facts(spec).target) return fmt::format("the message must cross {}", some(far, "link"));
  return fmt::format("with {} a rank, it takes {} to reach all {} ranks", some(n.ports, "port"), some(rounds, "round"),
                     base::format_count(n.ranks));
}

/// Rounds in which who has something of all can come to be all ranks.
std::int64_t rounds_to_spread(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  const Flow flow = collective::facts(spec).flow;
  if (flow == Flow::pairs) return 1;
  const std::int64_t fan = n.relays ? n.degree : n.ranks - 1;  // ranks that one multicast reaches
  if (machine.multicast && flow == Flow::one_to_all) return rounds_to_reach_all(n.ranks, fan);
  if (machine.multicast && flow == Flow::some_to_all)
    return std::max<std::int64_t>(1, rounds_to_reach_all(spec.sources->givers(), n.ports));
  return rounds_to_reach_all(n.ranks, n.ports);
}

/// Where processors pay for messages a rank may send many in a round, each at an overhead. With R rounds the fewest are
/// those whose fan-outs differ by one at most: (b + 1)^j b^(R - j) >= ranks. The best R of all.
Bound::Part overhead_latency(const Spec& spec, const Machine& machine, const NetworkFacts& n, int far) {
  const bool one_to_one = collective::facts(spec).flow == Flow::pairs;
  const std::int64_t reach = one_to_one ? 2 : machine.multicast ? std::min<std::int64_t>(2, n.ranks) : n.ranks;
  Bound::Part best{"latency", "", HUGE_VAL, 0, 0};
  for (std::int64_t rounds = n.relays ? far : 1, fan = reach; rounds <= 64 || best.rounds == 0; ++rounds) {
    const auto enough = [&](std::int64_t base, std::int64_t larger) {
      double reached = 1;
      for (std::int64_t i = 0; i < rounds && reached < static_cast<double>(reach); ++i)
        reached *= static_cast<double>(base + (i < larger ? 1 : 0));
      return reached >= static_cast<double>(reach);
    };
    while (fan > 2 && enough(fan - 1, 0)) --fan;
    std::int64_t larger = 0;
    while (larger < rounds && fan > 2 && !enough(fan - 1, larger)) ++larger;
    const std::int64_t further = fan > 2 ? rounds * (fan - 3) + larger : 0;
    const Cost cost{.startups = rounds, .hops = std::max<std::int64_t>(rounds, far), .further = further};
    const Seconds time = seconds(cost, machine, n.topology);
    if (time < best.time) best.time = time, best.rounds = rounds, best.bytes = further;
    if (fan <= 2) break;
  }
  best.why = fmt::format("it takes {} and {} more of one rank to reach all {} ranks", some(best.rounds, "round"),
                         some(std::exchange(best.bytes, 0), "message"), base::format_count(n.ranks));
  return best;
}

Bound::Part latency(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  const int far = farthest_apart(spec);
  if (machine.has_overhead()) return overhead_latency(spec, machine, n, far);
  const std::int64_t spread = rounds_to_spread(spec, machine, n);
  const bool by_distance = n.relays && far >= spread;
  const std::int64_t rounds = by_distance ? far : spread;
  const Cost cost{.startups = rounds, .hops = n.turns ? far : std::max<std::int64_t>(rounds, far)};
  return {"latency", why_so_long(spec, n, by_distance, rounds, far), seconds(cost, machine, n.topology), rounds, 0};
}

/// Messages that rank r sends or receives at once.
std::int64_t ports_at(const NetworkFacts& n, const Machine& machine, Rank r) {
  return machine.ports == Ports::one ? n.ports : n.topology.degree_at(r);
}

/// ... of a multibcast where links are not as many at every rank. A source lacks less than others do.
Bound::Part port_of_sources(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  const Bytes all = spec.sources->offset.back();
  Bytes bytes = 0, moved = 0;
  std::int64_t ports = 1;
  for (Rank r = 0; r < std::min(spec.ranks(), collective::many); ++r) {
    const Slot source = spec.sources->find(r);
    const Bytes own = source < 0 ? 0 : spec.sources->bytes(source);
    const Bytes passes = n.half ? all : std::max(own, all - own);
    const Bytes here = base::ceil_div(passes, ports_at(n, machine, r));
    if (here > bytes) bytes = here, moved = passes, ports = ports_at(n, machine, r);
  }
  return {"port", fmt::format("a rank must move {} through {}", base::format_bytes(moved), some(ports, "port")),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

/// ... of an alltoallv, in which every rank has and takes as much as it has to.
Bound::Part port_of_demands(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  Bytes bytes = 0, moved = 0;
  Rank who = 0;
  for (Rank r = 0; r < std::min(spec.ranks(), collective::many); ++r) {
    const Bytes out = buffer_bytes(spec, Buffer::in, r), in = buffer_bytes(spec, Buffer::out, r);
    const Bytes passes = n.half ? in + out : std::max(in, out);
    const Bytes here = base::ceil_div(passes, std::max<std::int64_t>(1, ports_at(n, machine, r)));
    if (here > bytes) bytes = here, moved = passes, who = r;
  }
  return {"port",
          fmt::format("rank {} must move {} through {}", who, base::format_bytes(moved),
                      some(ports_at(n, machine, who), "port")),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

/// What must enter and leave the busiest rank; where every rank must receive as much, the one with the fewest links.
Bound::Part port(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  using Whose = collective::PortNeed::Whose;
  if (spec.demands) return port_of_demands(spec, machine, n);
  if (spec.sources && n.least_ports < n.ports) return port_of_sources(spec, machine, n);
  const collective::PortNeed need = collective::traits(spec).port(spec);
  std::int64_t ports = need.whose == Whose::best ? n.ports : n.least_ports;
  if (need.whose == Whose::root || need.whose == Whose::ends) ports = ports_at(n, machine, spec.root);
  if (need.whose == Whose::ends) ports = std::min(ports, ports_at(n, machine, spec.target));
  const Bytes moved = n.half ? need.both() : std::max(need.in, need.out), bytes = base::ceil_div(moved, ports);
  return {"port", fmt::format("a rank must move {} through {}", base::format_bytes(moved), some(ports, "port")),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

/// What must cross the narrowest even cut.
Bound::Part cut(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  const std::int64_t a = n.topology.bisection_ranks();
  const collective::CutNeed need = collective::traits(spec).cut(spec, a, n.ranks - a);
  const std::int64_t links = n.ports == 1 ? std::min(n.topology.bisection(), a) : n.topology.bisection();
  const Bytes volume =
      n.half ? base::checked_add(need.there, need.back, "bytes over the cut") : std::max(need.there, need.back);
  const Bytes bytes = base::ceil_div(volume, std::max<std::int64_t>(1, links));
  return {"cut", fmt::format("{} must cross a cut of {}", base::format_bytes(volume), some(links, "link")),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

std::string count_text(collective::Wide n) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return n <= most ? base::format_count(static_cast<std::int64_t>(n)) : fmt::format("{:.3g}", static_cast<double>(n));
}

/// All link crossings together over all links.
Bound::Part work(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  const collective::Crossings crossings = collective::traits(spec).crossings(spec);
  std::int64_t links = n.topology.wires();
  if (n.half) links = std::max<std::int64_t>(1, links / 2);
  // Transfers of what all get, or all have a part in, are counted however many links they cross: each takes two ports.
  if (n.ports == 1 && pricing::takes_ports(spec, machine))
    links = std::max<std::int64_t>(1, std::min(links, n.half ? n.ranks / 2 : n.ranks));
  const auto bytes = static_cast<Bytes>((crossings.count * crossings.bytes + links - 1) / links);
  return {"work",
          fmt::format("{} {} crossings over {} links that can be busy at once", count_text(crossings.count),
                      crossings.bytes == 1 ? "byte" : "block", base::format_count(links)),
          static_cast<double>(bytes) * machine.beta, 0, bytes};
}

/// A result of k contributions takes k - 1 operations for each element, wherever they are done.
Bound::Part combining(const Spec& spec, const Machine& machine) {
  Rank most = 0;
  for (const Rank r : {Rank{0}, spec.root, spec.ranks() - 1})
    for (const Slot block : {Slot{0}, r}) {
      const Contributions wanted = wanted_contributions(spec, r, block);
      most = std::max(most, wanted.end - wanted.first);
    }
  const std::int64_t operations = std::max<std::int64_t>(0, most - 1);
  const Bytes all = base::checked_multiply(operations, vector_bytes(spec), "bytes combined");
  const Bytes bytes = base::ceil_div(all, spec.ranks());
  return {"combining",
          fmt::format("{} are combined for every result, and {} share the work", some(most, "contribution"),
                      some(spec.ranks(), "rank")),
          static_cast<double>(bytes) * machine.gamma, 0, bytes};
}

/// Start-ups of the kind of links that has the least, and what the links of the way add.
Bound::Part routed_latency(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  Machine least = machine;
  least.alpha = cost::LinkCosts(machine, *spec.topology, cost::LinkCosts::Asked::network).least_alpha();
  Bound::Part part = latency(spec, least, n);
  part.time += pricing::latency_of_links(spec, machine, part.rounds, n.ports);
  return part;
}

/// Volume arguments, the largest first.
std::vector<Bound::Part> volume_parts(const Spec& spec, const Machine& machine, const NetworkFacts& n) {
  std::vector<Bound::Part> parts;
  if (spec.topology->shared_medium())
    parts = pricing::medium_volumes(spec, machine);
  else if (pricing::looks_at_links(spec, machine))
    parts = pricing::network_volume(spec, machine);
  else
    parts = {port(spec, machine, n), work(spec, machine, n), cut(spec, machine, n)};
  if (pricing::weighs_links(spec, machine))
    if (auto weighed = pricing::weighed_links(spec, machine); weighed && weighed->bytes > parts[1].bytes)
      parts[1] = std::move(*weighed);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return parts;
}

/// Where links differ, what ranks send counts as if all were as fast as the fastest; nothing where the volume is more.
std::optional<Bound::Part> exchanged(const Spec& spec, const Machine& machine, const NetworkFacts& n,
                                     const Bound::Part& start, const Bound::Part& volume) {
  const cost::LinkCosts costs(machine, *spec.topology);
  const pricing::SendingPorts sending{n.ports, n.turns};
  if (costs.alike()) return pricing::rounds_against_volume(spec, machine, sending, start.rounds, volume.bytes);
  Machine fastest = machine;
  fastest.alpha = costs.least_alpha();
  fastest.beta *= costs.least();
  const auto bytes = static_cast<Bytes>(static_cast<double>(volume.bytes) / costs.least());
  Bound::Part part = pricing::rounds_against_volume(spec, fastest, sending, start.rounds, bytes);
  if (part.bytes <= bytes) return {};
  part.bytes = static_cast<Bytes>(static_cast<double>(part.bytes) * costs.least());
  return part;
}

}  // namespace

int farthest_apart(const Spec& spec) {
  return spec.topology->structure().routed ? pricing::farthest_in_links(spec) : collective::traits(spec).farthest(spec);
}

Bound lower_bound(const Spec& spec, const Machine& machine) {
  Bound bound;
  if (spec.bytes == 0 || spec.ranks() == 1) {
    bound.binding = "nothing";
    bound.parts.push_back(
        {"latency", spec.bytes == 0 ? "there is nothing to move" : "one rank has nobody to send to", 0, 0, 0});
    return bound;
  }
  const NetworkFacts n = network_of(spec, machine);
  const bool medium = spec.topology->shared_medium(), routed = spec.topology->structure().routed;
  bound.parts = volume_parts(spec, machine, n);
  bound.parts.insert(bound.parts.begin(), medium   ? pricing::medium_latency(spec, machine)
                                          : routed ? routed_latency(spec, machine, n)
                                                   : latency(spec, machine, n));
  const Bound::Part start = bound.parts[0], volume = bound.parts[1];
  bound.time = start.time + volume.time;
  if (combines(spec)) {
    bound.parts.push_back(combining(spec, machine));
    bound.time += bound.parts.back().time;
  }
  bound.binding = start.time >= volume.time ? start.name : volume.name;
  if (combines(spec) && bound.parts.back().time > std::max(start.time, volume.time))
    bound.binding = bound.parts.back().name;
  if (collective::traits(spec).names(spec).kind == collective::BlockKind::pair && !medium && !machine.has_overhead()) {
    if (const auto part = exchanged(spec, machine, n, start, volume)) bound.parts.push_back(*part);
    if (bound.parts.back().time > bound.time)
      bound.time = bound.parts.back().time, bound.binding = bound.parts.back().name;
  }
  return bound;
}

}  // namespace quadrille
