#include "algorithm/kit/flow_exchange.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "algorithm/kit/flow_plan.hpp"
#include "algorithm/kit/flow_words.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/tree_ways.hpp"
#include "algorithm/kit/way_places.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "base/recent.hpp"
#include "cost/link_costs.hpp"
#include "cost/network_graph.hpp"
#include "flow/exchange.hpp"
#include "flow/exchange_optimum.hpp"
#include "schedule/pipelined_ways.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr std::int64_t most_flow_segments = 1 << 20,  ///< of messages, in all rounds: a second or two
    most_flow_slots = 1 << 22,                        ///< that a plan's proof looks at
    most_following = 512;

FlowGround over_links(const Spec& spec, const Machine& machine) {
  const cost::NetworkGraph graph = *cost::network_graph(*spec.topology, machine);
  return {graph.network, {}, graph.unit};
}
FlowGround over_routes(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  constexpr double fastest_capacity = 1 << 12;
  FlowGround ground{network_of(spec, machine), {}, ways_of(spec.topology, machine)->fastest * fastest_capacity};
  ground.shared = shared_links(spec, machine, ground.network);
  const cost::LinkCosts costs(machine, t);
  for (Link link = 0; link < t.links(); ++link)
    ground.shared.capacity[static_cast<std::size_t>(link)] =
        std::max<std::int64_t>(1, std::llround(ground.unit / costs.slowness(link)));
  return ground;
}
FlowGround ground_of(const Spec& spec, const Machine& machine) {
  const bool chosen = spec.topology->direct() || spec.topology->chooses_ways();
  return chosen ? over_links(spec, machine) : over_routes(spec, machine);
}

/// Who has a block for whom, in so many parts; of an alltoallv words, in as many parts as chunks have so many words.
std::vector<flow::FlowDemand> flow_demands(const Spec& spec, std::int64_t parts) {
  std::vector<flow::FlowDemand> demands;
  if (spec.demands) {
    const Slot chunk = words_of_chunk(*spec.demands, parts);
    for (std::size_t i = 0; i < spec.demands->pairs.size(); ++i)
      demands.push_back({static_cast<std::int32_t>(spec.demands->pairs[i].from),
                         static_cast<std::int32_t>(spec.demands->pairs[i].to),
                         static_cast<std::int32_t>(spec.demands->words(i)),
                         static_cast<std::int32_t>(base::ceil_div(spec.demands->words(i), chunk))});
    return demands;
  }
  const auto add = [&](Rank from, Rank to) {
    if (from != to)
      demands.push_back(
          {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), 1, static_cast<std::int32_t>(parts)});
  };
  for (Rank r = 0; r < spec.ranks(); ++r) switch (spec.collective) {
      case Collective::scatter:
        add(spec.root, r);
        break;
      case Collective::gather:
        add(r, spec.root);
        break;
      case Collective::transpose:
        add(r, transposed(spec, r));
        break;
      default:
        for (Rank to = 0; to < spec.ranks(); ++to) add(r, to);
    }
  return demands;
}

/// Bytes of a word of demands.
Bytes word_bytes(const Spec& spec) { return spec.demands ? spec.demands->word : spec.bytes; }

/// So that what is on the wire and waits for the last hops is worth the messages.
std::int64_t best_following(const Spec& spec, const Machine& machine, const FlowPlan& plan, double unit,
                            std::int64_t parts) {
  const std::int64_t pieces = spec.demands ? parts : std::min(most_flow_slots / plan.slots, spec.bytes / parts);
  const std::int64_t most =
      std::clamp<std::int64_t>(std::min(most_flow_segments / plan.segments, pieces), 1, most_following);
  const Seconds round = neighbour_startup(spec, machine) + static_cast<double>(plan.crowd - 1) * further_time(machine);
  if (spec.demands) {
    const auto words = static_cast<double>(words_of_chunk(*spec.demands, parts));
    return best_word_pieces(plan, round, words * unit * static_cast<double>(spec.demands->word) * machine.beta, most);
  }
  if (!(round > 0)) return most;
  const double wire = plan.share * unit * static_cast<double>(spec.bytes) * machine.beta;
  const double ideal = std::sqrt(static_cast<double>(plan.longest - 1) * wire / round);
  return std::clamp<std::int64_t>(std::llround(ideal), 1, most);
}

SchedulePtr played(const Spec& spec, std::int32_t parts, std::int32_t pieces, std::vector<schedule::PartsWay> ways) {
  const bool from_all = is_exchange(spec) || spec.collective == Collective::scatter;
  const bool to_all = is_exchange(spec) || spec.collective == Collective::gather;
  for (schedule::PartsWay& way : ways) way.leaves *= from_all ? 1 : 0, way.arrives *= to_all ? 1 : 0;
  const Shape shape{.ranks = spec.ranks(),
                    .in = from_all ? spec.ranks() : 1,
                    .out = to_all ? spec.ranks() : 1,
                    .cut = {.bytes = spec.bytes}};
  return schedule::pipelined_ways(shape, parts, pieces, ways);
}

SchedulePtr build_on(const FlowGround& ground, const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t parts = params.get(chunks.name, 1);
  const std::shared_ptr<const FlowPlan> plan = flow_plan(ground, flow_demands(spec, parts));
  std::int64_t following = params.get(following_pieces.name, 0);
  if (following == 0) following = best_following(spec, machine, *plan, ground.unit, parts);
  SchedulePtr all =
      spec.demands ? words_played(spec, *plan, words_of_chunk(*spec.demands, parts), following)
                   : played(spec, static_cast<std::int32_t>(parts), static_cast<std::int32_t>(following), plan->ways);
  return ground.shared.of_arc.empty() ? on_ways_of_arcs(spec, std::move(all), plan->logical) : all;
}

}  // namespace

std::string flow_exchange_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const Topology& t = *spec.topology;
  if (spec.ranks() > most_all_joined)
    return fmt::format("looks for ways between all pairs of at most {} ranks; nearest: a job of {} ranks",
                       most_all_joined, most_all_joined);
  if (t.direct()) {
    if (std::string reason = needs_free_links(spec, machine); !reason.empty()) return reason;
    std::set<std::pair<Rank, Rank>> joined;
    for (Link link = 0; link < t.links(); ++link)
      if (cost::exists(t, link) && !joined.emplace(t.tail(link), t.head(link)).second)
        return fmt::format("messages take one of the links that join two ranks of {}; nearest: one wider link",
                           t.text());
  } else {
    if (!t.structure().routed || t.structure().per_node > 0) return needs_links(spec);
    if (std::string reason = needs_all_ports(machine); !reason.empty()) return reason;
    if (half_duplex(machine)) return "sends both ways over a wire at once; try --set duplex=full";
    if (std::string reason = lead_somewhere(spec, machine); !reason.empty() && !t.chooses_ways()) return reason;
  }
  const Bytes most = std::max<Bytes>(1, spec.bytes);
  const std::int64_t parts = params.get(chunks.name, 1), following = params.get(following_pieces.name, 1);
  if (parts > most || following > most / parts)
    return fmt::format("a block of {} bytes has no {} chunks of {} pieces; nearest: chunks={}:pieces=1", spec.bytes,
                       parts, following, std::min<Bytes>(parts, most));
  return {};
}

/// Of an alltoallv whole words go, and thin links carry few of them in a round: chunks are small where they need no
/// search.
std::vector<Params> flow_exchange_variants(const Spec& spec, const Machine& machine) {
  constexpr std::int64_t parcels = 1 << 15, fewest = 2, most = 512, bytes_of_chunk = 256;  // that pieces are cut from
  if (spec.ranks() > most_all_joined || !flow_exchange_illegal(spec, machine, {}).empty()) return {};
  const bool finer = spec.demands && flow::small_enough_for_optimum(ground_of(spec, machine).network);
  const std::int64_t pairs = std::max<std::int64_t>(1, std::ssize(flow_demands(spec, 1))),
                     highest = finer ? 4 * most : most, wanted = (finer ? 8 * parcels : parcels) / pairs;
  std::int64_t parts = std::clamp(std::min(wanted, spec.bytes / bytes_of_chunk),
                                  std::min(fewest, std::max<Bytes>(1, spec.bytes)), highest);
  if (spec.demands) parts = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(parts)));
  const Params params{{std::string(chunks.name), {parts}}};
  if (!flow_exchange_illegal(spec, machine, params).empty()) return {};
  return {params};
}

/// Short blocks may be faster by routes, which pass no rank.
SchedulePtr flow_exchange_build(const Spec& spec, const Machine& machine, const Params& params) {
  SchedulePtr best = build_on(ground_of(spec, machine), spec, machine, params);
  if (!spec.topology->chooses_ways() || !lead_somewhere(spec, machine).empty()) return best;
  SchedulePtr routed = build_on(over_routes(spec, machine), spec, machine, params);
  const Seconds time = seconds(*traffic::counted(spec, machine, *best), machine, *spec.topology);
  const std::optional<Cost> other = traffic::counted(spec, machine, *routed, {.price = time});
  return other && seconds(*other, machine, *spec.topology) < time ? routed : best;
}

Cost flow_exchange_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *flow_exchange_build(spec, machine, params));
}

Seconds flow_exchange_least(const Spec& spec, const Machine& machine, const Params&) {
  if (spec.bytes == 0 || spec.ranks() == 1) return 0;
  static base::Recent<std::vector<std::int64_t>, double> known;
  const FlowGround ground = ground_of(spec, machine);
  if (!ground.shared.of_arc.empty()) return least_on_routes(spec, machine, {.startups = 1});
  const std::vector<flow::FlowDemand> demands = flow_demands(spec, 1);
  const double least = *known.get(flow_key(ground, demands), [&] {
    return flow::exchange_bracket(ground.network, wants_of(ground.network, demands)).lower.value();
  });
  const double bytes = least * ground.unit * static_cast<double>(word_bytes(spec));
  return least_on_routes(spec, machine, {.startups = 1, .bytes = static_cast<Bytes>(bytes * (1 - 1e-9))});
}

}  // namespace quadrille::algorithm::kit
