#include "algorithm/kit/found_rounds.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "algorithm/kit/searched.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/way_places.hpp"
#include "base/integer.hpp"
#include "flow/exchange_bound.hpp"
#include "flow/exchange_optimum.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Chunks of an alltoallv: of every message as many as it has such words, the last one shorter.
std::vector<flow::Parcel> parcels_of(const Demands& demands, std::int64_t parts) {
  const Slot most = words_of_chunk(demands, parts);
  std::vector<flow::Parcel> parcels;
  for (std::int32_t chunk = 0; chunk < parts; ++chunk)
    for (std::size_t i = 0; i < demands.pairs.size(); ++i)
      if (const Slot left = demands.words(i) - chunk * most; left > 0)
        parcels.push_back({static_cast<std::int32_t>(demands.pairs[i].from),
                           static_cast<std::int32_t>(demands.pairs[i].to), chunk,
                           static_cast<std::int32_t>(std::min(left, most))});
  return parcels;
}

flow::Demand demand_of(const Spec& spec) {
  if (is_exchange(spec)) return {};
  if (spec.collective == Collective::transpose) {
    flow::Demand demand;
    for (Rank r = 0; r < spec.ranks(); ++r) demand.partner.push_back(static_cast<std::int32_t>(transposed(spec, r)));
    return demand;
  }
  const auto root = static_cast<std::int32_t>(spec.root);
  if (spec.collective == Collective::sendrecv) return {root, static_cast<std::int32_t>(spec.target)};
  return {root, -1};
}

struct Known {
  std::vector<std::int64_t> question;
  std::shared_ptr<const flow::Network> network;
  flow::SharedLinks shared;
  flow::Demand demand;
  flow::TakingTurns turns;
  flow::Ratio least;  ///< rounds of a chunk of each block; of an alltoallv, of a word on each link; 0: not known
  std::map<std::int64_t, std::shared_ptr<const flow::ExchangeRounds>> rounds;
};

/// Chunks that go between ranks, so many of each block.
std::vector<flow::Parcel> parcels_of(const Spec& spec, const flow::Demand& demand, std::int64_t parts) {
  return spec.demands ? parcels_of(*spec.demands, parts)
                      : flow::equal_parcels(spec.ranks(), static_cast<std::int32_t>(parts), demand);
}

/// Of blocks with one destination each: the links that they must cross, over all there are.
flow::Ratio crossings(const Spec& spec, const flow::Network& network) {
  std::int64_t crossings = 0, links = 0;
  if (spec.collective == Collective::transpose)
    for (Rank r = 0; r < spec.ranks(); ++r) crossings += spec.topology->distance(r, transposed(spec, r));
  for (std::size_t i = 0; spec.demands && i < spec.demands->pairs.size(); ++i) {
    const Demand& d = spec.demands->pairs[i];
    crossings += spec.demands->words(i) * spec.topology->distance(d.from, d.to);
  }
  for (const flow::Arc& arc : network.arcs()) links += arc.capacity;
  return {crossings, std::max<std::int64_t>(1, links)};
}

flow::Ratio least_of(const Spec& spec, const Known& known) {
  constexpr flow::ExchangeEffort quick{.gap = 0.05, .visits = std::int64_t{1} << 23};
  if (!known.shared.of_arc.empty())
    return flow::least_rounds(*known.network, known.shared, parcels_of(spec, known.demand, 1));
  return is_exchange(spec) ? flow::exchange_within(*known.network, quick).lower : crossings(spec, *known.network);
}

/// What was found for the last few networks: a plan prices, proves and runs what was searched for once.
struct Memory {
  std::mutex mutex;
  std::vector<Known> known;
};
Memory& memory() {
  static Memory all;
  return all;
}

/// With the memory locked, and until another one is asked for.
Known& known_for(const Spec& spec, const Machine& machine) {
  constexpr std::size_t most_known = 8;
  const flow::Demand demand = demand_of(spec);
  const Reach reach = reach_of(spec, machine);
  flow::TakingTurns turns = turns_of(machine);
  flow::Network network = network_of(spec, machine, reach);
  if (runs_backwards(spec)) network = network.reversed();
  flow::SharedLinks shared = shared_links(spec, machine, network, reach);
  // There ports and wires are links. Ports through which several messages fit take turns all the same.
  if (reach == Reach::past_ranks) turns.one_way = false;
  if (reach == Reach::past_ranks && !may_meet(spec, machine)) turns.one_port = turns.one_task = false;
  std::vector<std::int64_t> question{static_cast<std::int64_t>(spec.collective),
                                     demand.from,
                                     demand.to,
                                     turns.one_way,
                                     turns.one_port,
                                     turns.one_task};
  for (const flow::Arc& arc : network.arcs()) question.insert(question.end(), {arc.from, arc.to, arc.capacity});
  question.insert(question.end(), shared.capacity.begin(), shared.capacity.end());
  for (const std::vector<std::int32_t>& links : shared.of_arc) {
    question.push_back(-1);
    question.insert(question.end(), links.begin(), links.end());
  }
  for (std::size_t i = 0; spec.demands && i < spec.demands->pairs.size(); ++i)
    question.insert(question.end(), {spec.demands->pairs[i].from, spec.demands->pairs[i].to, spec.demands->words(i)});
  std::vector<Known>& known = memory().known;
  for (Known& k : known)
    if (k.question == question) return k;
  if (known.size() >= most_known) known.erase(known.begin());
  Known fresh{std::move(question),
              std::make_shared<const flow::Network>(std::move(network)),
              std::move(shared),
              demand,
              turns,
              {},
              {}};
  fresh.least = least_of(spec, fresh);
  known.push_back(std::move(fresh));
  return known.back();
}

std::shared_ptr<const flow::ExchangeRounds> rounds_of(const Spec& spec, Known& known, std::int64_t parts) {
  auto& rounds = known.rounds[parts];
  if (rounds) return rounds;
  rounds = std::make_shared<const flow::ExchangeRounds>(
      flow::exchange_in_rounds(*known.network, parcels_of(spec, known.demand, parts), known.turns,
                               spec.demands ? words_of_chunk(*spec.demands, parts) : 1, known.shared));
  return rounds;
}

}  // namespace

flow::TakingTurns turns_of(const Machine& machine) {
  return {.one_way = half_duplex(machine), .one_port = machine.ports == Ports::one, .one_task = one_task(machine)};
}

Reach reach_of(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  const bool pairs = is_exchange(spec) || spec.demands || spec.collective == Collective::transpose;
  const bool past = pairs && t.direct() && (half_duplex(machine) || t.structure().cube == 0) && t.contended() &&
                    !t.shared_medium() && t.nodes() == t.ranks() && machine.ports == Ports::one &&
                    machine.switching == Switching::wormhole && spec.ranks() <= most_all_joined;
  return past ? Reach::past_ranks : Reach::neighbours;
}

bool share_links(const Spec& spec, const Machine& machine) {
  const Topology::Structure s = spec.topology->structure();
  if (reach_of(spec, machine) == Reach::past_ranks) return true;
  if (s.stages) return !is_exchange(spec);  // straight messages of all pairs share links evenly there
  return !spec.topology->direct() && s.routed && s.per_node == 0;
}

bool may_meet(const Spec& spec, const Machine& machine) {
  if (reach_of(spec, machine) == Reach::neighbours) return false;
  if (spec.demands) return true;
  const WaysPtr ways = ways_of(spec.topology, machine, Reach::past_ranks);
  return std::any_of(ways->link_chunks.begin(), ways->link_chunks.end(), [](std::int64_t c) { return c != 1; });
}

FoundRounds found_rounds(const Spec& spec, const Machine& machine, std::int64_t parts) {
  const std::lock_guard lock(memory().mutex);
  Known& known = known_for(spec, machine);
  return {known.network, rounds_of(spec, known, parts)};
}

flow::Ratio least_found(const Spec& spec, const Machine& machine) {
  const std::lock_guard lock(memory().mutex);
  return known_for(spec, machine).least;
}

}  // namespace quadrille::algorithm::kit
