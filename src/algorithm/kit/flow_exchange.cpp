#include "algorithm/kit/flow_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

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
#include "flow/exchange_flow.hpp"
#include "schedule/pipelined_ways.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr std::int64_t most_flow_segments = 1 << 20,  ///< of messages, in all rounds: a second or two
    most_flow_slots = 1 << 22,                        ///< that a plan's proof looks at
    most_following = 512;

/// What flows: over links that ranks choose, or over routes that share them.
struct FlowGround {
  flow::Network network;
  flow::SharedLinks shared = {};
  double unit = 1;  ///< bytes on a plain link as slow as one over a capacity of 1
};
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

struct FlowPlan {
  std::vector<schedule::PartsWay> ways;
  flow::LogicalNetwork logical;                       ///< how what one rank sends another passes switches
  double share = 1;                                   ///< of a block, on the busiest link, over its capacity
  std::int64_t longest = 1, segments = 1, crowd = 1;  ///< messages of a way; of all ways; of a rank in a round
  std::int64_t slots = 1;                             ///< in all messages of a round
};

/// Who has a block for whom.
std::vector<flow::FlowDemand> flow_demands(const Spec& spec) {
  std::vector<flow::FlowDemand> demands;
  const auto add = [&](Rank from, Rank to) {
    if (from != to) demands.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), 1});
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

/// The ways cut at the ranks that they come to.
FlowPlan planned(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands, std::int32_t parts) {
  const flow::Network& network = ground.network;
  const auto ranks = static_cast<std::int32_t>(network.ranks());
  const std::vector<flow::FlowWay> found = exchange_flow(network, demands, parts, ground.shared);
  FlowPlan plan{{}, {network, {}, true}, busiest_share(network, demands, parts, found, ground.shared)};
  std::map<std::pair<std::int32_t, std::int32_t>, std::map<std::vector<flow::Vertex>, std::int64_t>> sent;
  std::int32_t first = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 0 || found[i].demand != found[i - 1].demand) first = 0;
    const flow::FlowDemand& demand = demands[static_cast<std::size_t>(found[i].demand)];
    schedule::PartsWay way{first, found[i].parts, {demand.source}, demand.target, demand.source};
    std::vector<flow::Vertex> switches;
    for (const std::int32_t arc : found[i].arcs) {
      const flow::Vertex here = network.arcs()[static_cast<std::size_t>(arc)].to;
      const auto rank = static_cast<std::int32_t>(network.rank(here));
      if (rank < 0) {
        switches.push_back(here);
        continue;
      }
      sent[{way.ranks.back(), rank}][std::exchange(switches, {})] += found[i].parts;
      way.ranks.push_back(rank);
    }
    first += found[i].parts;
    plan.longest = std::max<std::int64_t>(plan.longest, std::ssize(way.ranks) - 1);
    plan.segments += std::ssize(way.ranks) - 1;
    plan.slots += (std::ssize(way.ranks) - 1) * way.parts;
    plan.ways.push_back(std::move(way));
  }
  std::vector<flow::Arc> arcs;
  std::vector<std::int64_t> messages(2 * static_cast<std::size_t>(ranks), 0);
  for (const auto& [ends, passed] : sent) {
    arcs.push_back({ends.first, ends.second, 0});
    std::vector<flow::Through>& through = plan.logical.ways.emplace_back();
    for (const auto& [switches, amount] : passed) {
      through.push_back({amount, switches});
      arcs.back().capacity += amount;
    }
    for (const std::int32_t end : {ends.first, ranks + ends.second})
      plan.crowd = std::max(plan.crowd, ++messages[static_cast<std::size_t>(end)]);
  }
  std::vector<flow::Vertex> hosts;
  for (std::int32_t r = 0; r < ranks; ++r) hosts.push_back(r);
  plan.logical.network = flow::Network(ranks, std::move(hosts), std::move(arcs));
  return plan;
}

std::vector<std::int64_t> key_of(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands) {
  std::vector<std::int64_t> key{ground.network.ranks(), ground.network.vertices()};
  for (const flow::Arc& arc : ground.network.arcs()) key.insert(key.end(), {arc.from, arc.to, arc.capacity});
  key.insert(key.end(), ground.shared.capacity.begin(), ground.shared.capacity.end());
  for (const std::vector<std::int32_t>& links : ground.shared.of_arc) {
    key.push_back(-1);
    key.insert(key.end(), links.begin(), links.end());
  }
  key.push_back(-2);
  for (const flow::FlowDemand& d : demands) key.insert(key.end(), {d.source, d.target, d.words});
  return key;
}

std::shared_ptr<const FlowPlan> flow_plan(const FlowGround& ground, const Spec& spec, std::int64_t parts) {
  static base::Recent<std::vector<std::int64_t>, FlowPlan> known;
  const std::vector<flow::FlowDemand> demands = flow_demands(spec);
  std::vector<std::int64_t> key = key_of(ground, demands);
  key.push_back(parts);
  return known.get(std::move(key), [&] { return planned(ground, demands, static_cast<std::int32_t>(parts)); });
}

/// So that what is on the wire and waits for the last hops is worth the messages.
std::int64_t best_following(const Spec& spec, const Machine& machine, const FlowPlan& plan, double unit,
                            std::int64_t parts) {
  const std::int64_t most = std::clamp<std::int64_t>(
      std::min({most_following, most_flow_segments / plan.segments, most_flow_slots / plan.slots, spec.bytes / parts}),
      1, most_following);
  const Seconds round = neighbour_startup(spec, machine) + static_cast<double>(plan.crowd - 1) * further_time(machine);
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
  const std::shared_ptr<const FlowPlan> plan = flow_plan(ground, spec, parts);
  std::int64_t following = params.get(following_pieces.name, 0);
  if (following == 0) following = best_following(spec, machine, *plan, ground.unit, parts);
  SchedulePtr all = played(spec, static_cast<std::int32_t>(parts), static_cast<std::int32_t>(following), plan->ways);
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
    if (machine.multicast) return "sends every message to one rank; try --set multicast=false";
    if (std::string reason = lead_somewhere(spec, machine); !reason.empty() && !t.chooses_ways()) return reason;
  }
  const Bytes most = std::max<Bytes>(1, spec.bytes);
  const std::int64_t parts = params.get(chunks.name, 1), following = params.get(following_pieces.name, 1);
  if (parts > most || following > most / parts)
    return fmt::format("a block of {} bytes has no {} chunks of {} pieces; nearest: chunks={}:pieces=1", spec.bytes,
                       parts, following, std::min<Bytes>(parts, most));
  return {};
}

std::vector<Params> flow_exchange_variants(const Spec& spec, const Machine& machine) {
  constexpr std::int64_t parcels = 1 << 15, fewest = 2, most = 512, bytes_of_chunk = 256;  // that pieces are cut from
  if (spec.ranks() > most_all_joined) return {};
  const std::int64_t pairs = std::max<std::int64_t>(1, std::ssize(flow_demands(spec)));
  const std::int64_t parts = std::clamp(std::min(parcels / pairs, spec.bytes / bytes_of_chunk),
                                        std::min(fewest, std::max<Bytes>(1, spec.bytes)), most);
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
  const std::vector<flow::FlowDemand> demands = flow_demands(spec);
  const double least = *known.get(key_of(ground, demands), [&] {
    return flow::exchange_bracket(ground.network, wants_of(ground.network, demands)).lower.value();
  });
  const double bytes = least * ground.unit * static_cast<double>(spec.bytes);
  return least_on_routes(spec, machine, {.startups = 1, .bytes = static_cast<Bytes>(bytes * (1 - 1e-9))});
}

}  // namespace quadrille::algorithm::kit
