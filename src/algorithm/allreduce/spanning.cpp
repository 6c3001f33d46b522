// Shares of the vector up spanning trees and down the same trees at once: a link carries contributions one way while it
// carries results the other way, so that trees need only share links, whichever way they take them. Where links lead
// one way, or are slower one way, each share has a tree up and another one down.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm/allreduce/shared/up_and_down.hpp"
#include "algorithm/kit/forest.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/shared_forest.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/tree_pieces.hpp"
#include "algorithm/kit/tree_ways.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "algorithm/registry.hpp"
#include "cost/network_graph.hpp"
#include "flow/shared_trees.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::allreduce_spanning {

namespace {

using kit::SharedForest;

/// To arcs of trees, in all rounds, where one tree goes over an arc at a time; its messages each way; and of all
/// together.
constexpr std::int64_t most_visits = 1 << 25, most_messages = 1 << 20, most_visits_together = 1 << 21,
                       most_pieces = 1 << 12;

constexpr Parameter tree_count{
    .name = "trees", .meaning = "that share the vector, a share up and down each", .high = 4096};

cost::NetworkGraph graph_of(const Spec& spec, const Machine& machine) {
  return *cost::network_graph(*spec.topology, machine);
}
std::int64_t trees_of(const Params& params) { return params.get(tree_count.name, 1); }
Bytes elements(const Spec& spec) { return spec.bytes / spec.element; }

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (const std::string reason = kit::trees_illegal(spec, machine); !reason.empty()) return reason;
  if (machine.ports != Ports::all || machine.duplex != Duplex::full)
    return "links carry contributions and results at once; try --set ports=all --set duplex=full";
  if (std::string reason = kit::shared_forest_illegal(graph_of(spec, machine).network, spec.topology->text());
      !reason.empty())
    return reason;
  const std::int64_t count = trees_of(params), turns = params.get(kit::piece_count.name, 1);
  const Bytes most = std::max<Bytes>(1, elements(spec));
  if (count > most || turns > most / count)
    return fmt::format("a vector of {} elements has no {} parts; nearest: trees=1:pieces={}", elements(spec),
                       static_cast<double>(count) * static_cast<double>(turns), most);
  return {};
}

/// Of the vector on links of which trees take this time for a word.
Seconds wire_time(const Spec& spec, const Machine& machine, const cost::NetworkGraph& graph, const flow::Ratio& time) {
  return time.value() * graph.unit * static_cast<double>(spec.bytes) * machine.beta;
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  if (!kit::worth_splitting(spec)) return {};
  const cost::NetworkGraph graph = graph_of(spec, machine);
  const auto counts = kit::shared_tree_counts(graph.network);
  const bool is_long = wire_time(spec, machine, graph, counts->least) > 8 * kit::neighbour_startup(spec, machine);
  std::vector<Params> all;
  for (const kit::TreeCount& count : counts->counts)
    if (Params params{{std::string(tree_count.name), {count.trees}}};
        all.empty() || (is_long && illegal(spec, machine, params).empty()))
      all.push_back(std::move(params));
  return all;
}

kit::TreeMessages messages_of(const Spec& spec, const Machine& machine, const Params& params,
                              const SharedForest& plan) {
  const std::int64_t uses = std::max<std::int64_t>(1, std::ssize(plan.down.trees) * (spec.ranks() - 1)),
                     each = plan.down.pace.rounds, most = std::min(most_pieces, elements(spec) / trees_of(params));
  const cost::NetworkGraph graph = graph_of(spec, machine);
  const Seconds startup =
                    kit::neighbour_startup(spec, machine) +
                    static_cast<double>(std::max(plan.down.crowd, plan.up.crowd) - 1) * kit::further_time(machine),
                wire = wire_time(spec, machine, graph, kit::shared_tree_counts(graph.network)->least);
  constexpr std::int64_t few = 2;
  const auto idle = [&](bool together, std::int64_t rounds) {
    return allreduce::rounds_up_and_down(plan, few, together) - few * rounds;
  };
  const kit::TreePieces alone = kit::best_pieces(
      {each, idle(false, each), std::min({most, most_messages / uses, most_visits / uses / each}), wire}, startup);
  const std::int64_t waits = idle(true, 1), enough = 128 * waits;  // in which links carry up alone, or down
  const kit::TreePieces together =
      kit::best_pieces({1, waits, std::min({most, most_visits_together / uses, enough}), wire,
                        kit::rounded_words(spec, wire, elements(spec) / trees_of(params))},
                       startup);
  const Seconds packing = 4 * static_cast<double>(spec.bytes) * machine.rho;  // what is sent and comes, each way
  return kit::best_messages(alone, together, packing);
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  const auto plan = kit::shared_forest_plan(graph_of(spec, machine).network, trees_of(params));
  const kit::TreeMessages best = messages_of(spec, machine, params, *plan);
  const std::int64_t pieces = params.get(kit::piece_count.name, best.pieces);
  return kit::on_ways_of_arcs(spec, allreduce::up_and_down(spec, *plan, pieces, best.together), plan->down.logical);
}

Cost cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *build(spec, machine, params));
}

/// A piece goes up to a root that hears of all ranks, and then down to all: in R rounds each way it multiplies by so
/// many as ranks send to, and more than one message of a rank takes an overhead more. The vector takes its time on the
/// links.
Seconds least(const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.bytes == 0 || spec.ranks() == 1) return 0;
  const cost::NetworkGraph graph = graph_of(spec, machine);
  const std::int64_t trees = trees_of(params);
  const auto counts = kit::shared_tree_counts(graph.network);
  flow::Ratio time = counts->least;
  if (!flow::leads_both_ways(graph.network))  // of pairs counts are what links carry, not what they may
    for (const kit::TreeCount& count : counts->counts)
      if (count.trees == trees) time = count.time;
  const Bytes evenly = elements(spec) / trees * trees * spec.element;  // shares may differ by an element
  const double bytes = time.value() * graph.unit * static_cast<double>(evenly);
  Seconds best = HUGE_VAL;
  for (std::int64_t rounds = 1; rounds <= 64; ++rounds) {
    const double each = std::max(2.0, std::pow(static_cast<double>(spec.ranks()), 1.0 / static_cast<double>(rounds)));
    const auto further = static_cast<std::int64_t>(std::ceil(static_cast<double>(rounds) * (each - 2) - 1e-6));
    best = std::min(
        best, least_on_routes(
                  spec, machine,
                  {.startups = 2 * rounds, .bytes = static_cast<Bytes>(bytes * (1 - 1e-9)), .further = 2 * further}));
    if (each <= 2) break;
  }
  return best;
}

Claims claims(const Spec& spec, const Machine&, const Params&) {
  const bool alone = spec.topology->direct();
  return {.contention_free = alone, .port_free = alone};
}

}  // namespace

Algorithm describe() {
  return {.name = "allreduce_spanning",
          .collective = Collective::allreduce,
          .summary =
              "shares of the vector up spanning trees and down the same trees at once, or down others where links "
              "lead one way; trees that share all links are searched for",
          .source = "extra: as many trees as fit after Tutte 1961 and Nash-Williams 1961; no schedule moves less",
          .closed_form = {.where = "full duplex, all ports: counted"},
          .parameters = {tree_count, kit::piece_count},
          .claims = claims,
          .illegal = illegal,
          .variants = variants,
          .cost = cost,
          .build = build,
          .least = least,
          .asks_for_nodes = true,
          .searched = true,
          .says_ways = true};
}

}  // namespace quadrille::algorithm::allreduce_spanning
