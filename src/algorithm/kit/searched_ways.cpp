#include "algorithm/kit/searched_ways.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "algorithm/kit/found_rounds.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/way_places.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "schedule/rounds.hpp"
#include "topology/grid.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr double most_ways = 1 << 20;         ///< ten seconds, or more on large networks
constexpr double worth_visits = 1 << 24;      ///< to links, a second: plans try no more by themselves
constexpr double worth_transposed = 1 << 20;  ///< of a transposition: ways times ranks, a second
constexpr double worth_moves = 1 << 20;       ///< over links between ranks, of an alltoallv; a second

double count_of_ways(const Spec& spec, std::int64_t parts) {
  if (spec.demands) {
    const Slot most = words_of_chunk(*spec.demands, parts);
    Slot chunks = 0;
    for (std::size_t i = 0; i < spec.demands->pairs.size(); ++i) chunks += base::ceil_div(spec.demands->words(i), most);
    return static_cast<double>(chunks);
  }
  const auto ranks = static_cast<double>(spec.ranks());
  const double pairs = is_exchange(spec)                         ? ranks * (ranks - 1)
                       : spec.collective == Collective::sendrecv ? 1
                                                                 : ranks - 1;
  return pairs * static_cast<double>(parts);
}

/// Why chunks cannot go through switches and pass ranks on their way; empty where they can.
std::string needs_free_switches(const Spec& spec, const Machine& machine) {
  if (!is_exchange(spec) && !spec.demands && spec.collective != Collective::transpose) return kit::needs_links(spec);
  if (half_duplex(machine) && reach_of(spec, machine) == Reach::neighbours)
    return "sends both ways over a wire at once; try --set duplex=full";
  if (spec.ranks() > most_all_joined)
    return fmt::format("looks for ways between all pairs of at most {} ranks; nearest: a job of {} ranks",
                       most_all_joined, most_all_joined);
  return {};
}

/// Links from every rank to every other, most of which straight messages leave idle.
bool joins_all(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  return spec.demands && t.direct() && !t.contended() && machine.ports == Ports::all &&
         machine.duplex == Duplex::full && spec.ranks() <= most_all_joined;
}

/// Networks whose links between ranks algorithms of ours know by name.
bool has_own_algorithms(const Spec& spec) { return !spec.topology->structure().routed && !spec.demands; }

/// Where exchanges by name use all links evenly, also with one port or over wires of half duplex: rings, cubes, and
/// tori of equal sides.
bool is_even(const Topology& t) {
  const Topology::Structure s = t.structure();
  const auto equal = [](const std::vector<Rank>& sides) {
    return std::adjacent_find(sides.begin(), sides.end(), std::not_equal_to<>()) == sides.end();
  };
  const bool even = t.ranks() % 2 == 0;
  return s.cube > 0 || (even && (s.ring || (s.grid != nullptr && s.grid->wraps() && equal(s.grid->sides()))));
}

/// Why chunks do not look for ways over links between ranks; empty where they do.
std::string needs_links_to_choose(const Spec& spec, const Machine& machine) {
  constexpr std::int64_t links_to_look_at = 1 << 14, moves_in_turns = 1 << 16;
  const Topology& t = *spec.topology;
  if (std::string reason = kit::needs_links(spec); !reason.empty()) return reason;
  if (!has_own_algorithms(spec)) return {};
  if (machine.duplex == Duplex::node_half)
    return "sends and receives at once on networks that others know; try --set duplex=half";
  const bool both_ways = is_exchange(spec) || spec.collective == Collective::transpose;
  if (both_ways && half_duplex(machine) && machine.switching == Switching::circuit)
    return "circuits of both ways over a wire may wait for each other; try --set switching=wormhole";
  const bool in_turns = is_exchange(spec) && turns_of(machine).any();
  if (spec.collective == Collective::sendrecv || (in_turns && is_even(t)))
    return fmt::format("is for networks without algorithms of their own, and {} has some; nearest: petersen", t.text());
  if (t.links() > links_to_look_at ||
      (in_turns &&
       static_cast<double>(spec.ranks()) * static_cast<double>(spec.ranks()) * t.diameter() > moves_in_turns))
    return fmt::format("would look for ways on {} for too long; nearest: fewer ranks", t.text());
  return {};
}

/// Whether a plan tries so many chunks by itself: what takes longer wins little. `channels`: of a rank.
bool worth_looking(const Spec& spec, const Machine& machine, std::int64_t parts, double channels) {
  const double ways = count_of_ways(spec, parts);
  // Where all pairs are joined, all channels of a rank are looked at for each way.
  const double looks = !spec.demands                ? (reach_of(spec, machine) == Reach::past_ranks ? 16 : 4)
                       : share_links(spec, machine) ? 32
                       : joins_all(spec, machine)   ? 2
                                                    : 4;
  if (ways * channels * looks > worth_visits) return false;
  if (spec.collective == Collective::transpose) return ways * static_cast<double>(spec.ranks()) <= worth_transposed;
  if (!spec.demands || share_links(spec, machine)) return true;
  double hops = 0;
  for (const Demand& d : spec.demands->pairs) hops += spec.topology->distance(d.from, d.to);
  return ways * hops <= worth_moves * static_cast<double>(spec.demands->pairs.size());
}

}  // namespace

Claims searched_ways_claims(const Spec& spec, const Machine& machine, const Params& params) {
  Claims claims = rarest_first_claims(spec, machine, params);
  if (may_meet(spec, machine)) claims.contention_free = false;
  return claims;
}

std::string searched_ways_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = share_links(spec, machine) ? needs_free_switches(spec, machine)
                           : joins_all(spec, machine) ? std::string{}
                                                      : needs_links_to_choose(spec, machine);
      !reason.empty())
    return reason;
  if (std::string reason = lead_somewhere(spec, machine); !reason.empty()) return reason;
  const std::int64_t parts = params.get(chunks.name, 1), most = std::max<Bytes>(1, spec.bytes);
  if (parts > most)
    return fmt::format("a block of {} bytes has at most as many chunks; nearest: chunks={}", spec.bytes, most);
  if (count_of_ways(spec, parts) > most_ways)
    return fmt::format(
        "would look for {:.3g} ways, and at most {:.3g} are looked for; nearest: fewer chunks, or fewer "
        "ranks",
        count_of_ways(spec, parts), most_ways);
  return {};
}

std::vector<Params> searched_ways_variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all;
  // The more pairs there are, the more evenly they share links anyway.
  static constexpr std::int64_t of_many[] = {1, 2, 4, 6, 12}, of_few[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  const double channels =
      share_links(spec, machine)
          ? static_cast<double>(ways_of(spec.topology, machine, reach_of(spec, machine))->channels.size()) /
                static_cast<double>(spec.ranks())
          : spec.topology->degree();
  const bool few = spec.collective == Collective::transpose || spec.collective == Collective::sendrecv || spec.demands;
  for (const std::int64_t parts :
       few ? std::span<const std::int64_t>(of_few) : std::span<const std::int64_t>(of_many)) {
    const Params params{{std::string(chunks.name), {parts}}};
    if ((all.empty() || worth_looking(spec, machine, parts, channels)) &&
        searched_ways_illegal(spec, machine, params).empty())
      all.push_back(params);
  }
  return all;
}

SchedulePtr searched_ways_build(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t parts = params.get(chunks.name, 1);
  const auto [network, rounds] = found_rounds(spec, machine, parts);
  const auto listed = [&network = *network, &rounds = *rounds](const auto& places) {
    std::vector<schedule::Handover> handovers;
    handovers.reserve(rounds.moves.size());
    for (const flow::Move& m : rounds.moves)
      handovers.push_back(places.handover(m, rounds.parcels[static_cast<std::size_t>(m.parcel)],
                                          network.arcs()[static_cast<std::size_t>(m.arc)]));
    return schedule::of_handovers(places.shape(), handovers);
  };
  return spec.demands ? listed(WordPlaces(spec, parts, *rounds)) : listed(WayPlaces(spec, parts, *rounds));
}

Cost searched_ways_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *searched_ways_build(spec, machine, params));
}

/// In each round some link carries a chunk.
Seconds searched_ways_least(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0 || spec.ranks() == 1) return 0;
  const std::int64_t parts = params.get(chunks.name, 1);
  const flow::Ratio least = least_found(spec, machine);
  const flow::Ratio chunks_least =
      spec.demands ? least * flow::Ratio(1, words_of_chunk(*spec.demands, parts)) : least * flow::Ratio(parts);
  const auto rounds = std::max<std::int64_t>(1, flow::narrow(chunks_least.ceil()));
  const double bytes = spec.demands ? least.value() * static_cast<double>(spec.demands->word)
                                    : static_cast<double>(rounds * (spec.bytes / parts));
  const double fastest = ways_of(spec.topology, machine)->fastest;
  return least_on_routes(spec, machine,
                         {.startups = rounds, .bytes = static_cast<Bytes>(bytes * fastest * (1 - 1e-9))});
}

}  // namespace quadrille::algorithm::kit
