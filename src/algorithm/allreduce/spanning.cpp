// Shares of the vector up spanning trees and down the same trees at once: a link carries contributions one way while it
// carries results the other way, so that trees need only share links, whichever way they take them. Where links lead
// one way, or are slower one way, each share has a tree up and another one down.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/forest.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/shared_forest.hpp"
#include "algorithm/kit/tree_ways.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "algorithm/registry.hpp"
#include "cost/network_graph.hpp"
#include "flow/shared_trees.hpp"
#include "flow/tree_rounds.hpp"
#include "schedule/dual.hpp"
#include "schedule/runs.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::allreduce_spanning {

namespace {

using kit::ForestPlan;
using kit::SharedForest;
using schedule::PieceRun;

constexpr std::int64_t most_visits = 1 << 25,  ///< to arcs of trees, in all rounds
    most_messages = 1 << 20,                   ///< each way
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

/// How pieces go down trees, those of each tree numbered behind those of the trees before it: the messages, and the
/// round in which each piece leaves its root.
struct Way {
  std::vector<PieceRun> runs;
  std::vector<Round> leaves;
  Round rounds = 0;
};
/// `backwards`: pieces of a tree have the numbers of those that leave its root as long before the last one.
Way way_down(const ForestPlan& plan, const std::vector<flow::TreeRun>& runs, std::int64_t pieces, bool backwards) {
  Way way{{}, {}, runs.empty() ? 0 : runs.back().round + 1};
  std::vector<std::int64_t> first, end;  // of each tree's pieces
  std::vector<std::vector<std::int64_t>> arrived;
  for (const flow::RootedTree& tree : plan.trees) {
    first.push_back(std::ssize(way.leaves));
    end.push_back(first.back() + tree.copies * pieces);
    way.leaves.resize(static_cast<std::size_t>(end.back()), way.rounds);
    arrived.emplace_back(tree.parent.size(), 0);
  }
  for (const flow::TreeRun& run : runs) {
    const auto tree = static_cast<std::size_t>(run.tree);
    std::int64_t& before = arrived[tree][static_cast<std::size_t>(run.to)];
    const std::int32_t parent = plan.trees[tree].parent[static_cast<std::size_t>(run.to)];
    const std::int64_t from = backwards ? end[tree] - before - run.pieces : first[tree] + before;
    way.runs.push_back({run.round, parent, run.to, 0, from, run.pieces});
    if (parent == plan.trees[tree].root)
      for (std::int64_t i = from; i < from + run.pieces; ++i) {
        Round& leaves_in = way.leaves[static_cast<std::size_t>(i)];
        leaves_in = std::min<Round>(leaves_in, run.round);
      }
    before += run.pieces;
  }
  return way;
}

/// The rounds of the way down, the same of the way up run backwards, and the round in which the first begins in the
/// other.
struct BothWays {
  std::vector<PieceRun> down, up_backwards;
  Round shift = 0, rounds = 0;
};
BothWays both_ways(const SharedForest& plan, std::int64_t pieces) {
  const auto rounds_of = [&](const ForestPlan& way) { return tree_rounds(way.network, way.trees, way.pace, pieces); };
  const std::vector<flow::TreeRun> runs = rounds_of(plan.down);
  // The piece that leaves the root first comes back last: results are complete in the order in which they leave.
  Way down = way_down(plan.down, runs, pieces, false),
      up = way_down(plan.up, plan.same ? runs : rounds_of(plan.up), pieces, true);
  BothWays ways{std::move(down.runs), std::move(up.runs)};
  for (std::size_t piece = 0; piece < down.leaves.size(); ++piece)
    ways.shift = std::max(ways.shift, up.rounds - up.leaves[piece] - down.leaves[piece]);
  // Where both ways take turns, the rounds of one are those that the other leaves.
  const Round period = static_cast<Round>(plan.same ? 1 : plan.down.pace.rounds);
  ways.shift += ((up.rounds - ways.shift) % period + period) % period;
  ways.rounds = std::max(up.rounds, ways.shift + down.rounds);
  return ways;
}

/// Pieces of each tree's share: few start-ups against short waits for the first results.
std::int64_t pieces_of(const Spec& spec, const Machine& machine, const Params& params, const SharedForest& plan) {
  if (const std::int64_t asked = params.get(kit::piece_count.name, 0); asked > 0) return asked;
  const std::int64_t rounds = plan.down.pace.rounds,
                     uses = std::max<std::int64_t>(1, std::ssize(plan.down.trees) * (spec.ranks() - 1));
  const std::int64_t most = std::max<std::int64_t>(
      1, std::min({most_pieces, elements(spec) / trees_of(params), most_messages / uses, most_visits / uses / rounds}));
  const cost::NetworkGraph graph = graph_of(spec, machine);
  const Seconds round = kit::neighbour_startup(spec, machine) +
                        static_cast<double>(std::max(plan.down.crowd, plan.up.crowd) - 1) * kit::further_time(machine),
                wire = wire_time(spec, machine, graph, kit::shared_tree_counts(graph.network)->least);
  if (round <= 0) return most;
  constexpr std::int64_t few = 2;
  const double idle = static_cast<double>(std::max<std::int64_t>(1, both_ways(plan, few).rounds - few * rounds));
  const double ideal = std::sqrt(idle * wire / round) / static_cast<double>(rounds);
  return std::clamp<std::int64_t>(std::llround(ideal), 1, most);
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  const auto plan = kit::shared_forest_plan(graph_of(spec, machine).network, trees_of(params));
  const std::int64_t pieces = pieces_of(spec, machine, params, *plan);
  const BothWays ways = both_ways(*plan, pieces);
  const Shape shape{
      .ranks = spec.ranks(), .out = 1, .cut = {.bytes = elements(spec), .parts = trees_of(params) * pieces}};
  const schedule::Vector vector = kit::vector_of(spec, 1);
  const SchedulePtr up = schedule::dual(schedule::of_runs(shape, ways.up_backwards), vector,
                                        schedule::Results::everywhere),
                    down = schedule::of_elements(schedule::of_runs(shape, ways.down), vector);
  return kit::on_ways_of_arcs(spec, schedule::without_empty(schedule::overlapped(up, down, ways.shift)),
                              plan->down.logical);
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
