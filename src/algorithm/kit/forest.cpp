#include "algorithm/kit/forest.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/forest_plan.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/tree_ways.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "cost/network_graph.hpp"
#include "flow/tree_rounds.hpp"
#include "schedule/dual.hpp"
#include "schedule/runs.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr double most_tree_looks = 1U << 31, worth_tree_looks = 1 << 28;  ///< at arcs: a minute, some seconds
constexpr double worth_splits = 1 << 24;  ///< at pairs of vertices for every switch: some seconds
constexpr Link most_tree_links = 1 << 16;
constexpr std::int64_t most_tree_vertices = 1 << 11;  ///< of networks with switches: tables have its square
constexpr std::int64_t most_piece_visits = 1 << 21,   ///< to arcs of trees, in all rounds: one or two seconds
    most_pieces = 1 << 12;

bool goes_up(const Spec& spec) {
  return spec.collective == Collective::reduce || spec.collective == Collective::reduce_scatter ||
         spec.collective == Collective::allreduce;
}
/// What is spread, where the collective is that or its reverse.
Collective spread_by(Collective collective) {
  if (collective == Collective::reduce) return Collective::bcast;
  return collective == Collective::reduce_scatter || collective == Collective::allreduce ? Collective::allgather
                                                                                         : collective;
}
/// Bytes, or elements, that are spread.
Spec as_spread(const Spec& spec) { return goes_up(spec) ? in_elements(spec, spread_by(spec.collective)) : spec; }

struct TreeSources {
  std::vector<Rank> owners;  ///< of labels
  std::shared_ptr<const std::vector<Bytes>> offsets = {};
  Bytes largest = 0;
  Bytes bytes(std::size_t label) const { return offsets ? (*offsets)[label + 1] - (*offsets)[label] : largest; }
};
TreeSources tree_sources(const Spec& spec) {
  if (spec.sources) return {spec.sources->ranks, {spec.sources, &spec.sources->offset}, spec.bytes};
  if (spec.collective == Collective::bcast) return {{spec.root}, {}, spec.bytes};
  TreeSources all{{}, {}, spec.bytes};
  for (Rank r = 0; r < spec.ranks(); ++r) all.owners.push_back(r);
  return all;
}

struct TreesAsked {
  ForestQuestion question;
  double unit = 1, word = 1;  ///< bytes that cross a link as fast as one an arc of capacity 1; bytes of a word
};
/// `backwards`: contributions come to where blocks would start.
TreesAsked trees_asked(const Spec& spec, const Machine& machine, bool backwards) {
  const cost::NetworkGraph graph = *cost::network_graph(*spec.topology, machine);
  const TreeSources sources = tree_sources(spec);
  Bytes most = 1;
  for (std::size_t i = 0; i < sources.owners.size(); ++i) most = std::max(most, sources.bytes(i));
  constexpr Bytes most_words = 1 << 16;
  const Bytes word = sources.offsets ? base::ceil_div(most, most_words) : most;
  flow::Words words(static_cast<std::size_t>(spec.ranks()), 0);
  for (std::size_t i = 0; i < sources.owners.size(); ++i)  // of no bytes, too: a proof asks for them all the same
    words[static_cast<std::size_t>(sources.owners[i])] =
        std::max<Bytes>(1, sources.offsets ? base::ceil_div(sources.bytes(i), word) : 1);
  return {
      {backwards ? graph.network.reversed() : graph.network, std::move(words)}, graph.unit, static_cast<double>(word)};
}

std::int64_t most_blocks(const Spec& spec) {
  return spread_by(spec.collective) == Collective::allgather ? spec.ranks() : spec.sources ? spec.sources->count() : 1;
}
double tree_looks(const Spec& spec, std::int64_t count) {
  return static_cast<double>(most_blocks(spec) * count) * static_cast<double>(spec.ranks()) *
         static_cast<double>(spec.topology->links());
}

double least_depth(const Spec& spec) {
  const Topology& t = *spec.topology;
  return !t.direct() || most_blocks(spec) > 1 ? 1 : static_cast<double>(t.distance(spec.root, t.farthest(spec.root)));
}

/// Pieces of each tree's share that suit trees so deep, where all the work takes the wire so long.
std::int64_t best_pieces(const Spec& spec, const Machine& machine, const ForestPlan& plan, double wire) {
  const TreeSources sources = tree_sources(spec);
  const std::int64_t uses = std::max<std::int64_t>(1, std::ssize(plan.trees) * (spec.ranks() - 1)),
                     shares = *std::max_element(plan.rooted.begin(), plan.rooted.end());
  Bytes largest = 1;
  for (std::size_t i = 0; i < sources.owners.size(); ++i) largest = std::max(largest, sources.bytes(i));
  const Seconds round = neighbour_startup(spec, machine) + static_cast<double>(plan.crowd - 1) * further_time(machine);
  const std::int64_t most =
      std::max<std::int64_t>(1, std::min({most_pieces, largest / shares, most_piece_visits / uses / plan.pace.rounds}));
  if (round <= 0) return most;
  const double idle = static_cast<double>(std::max<std::int64_t>(1, plan.depth - plan.pace.rounds));
  const double ideal = std::sqrt(idle * wire / round) / static_cast<double>(plan.pace.rounds);
  return std::clamp<std::int64_t>(std::llround(ideal), 1, most);
}

Seconds wire_time(const Machine& machine, const TreesAsked& a, const flow::Ratio& time) {
  return time.value() * a.unit * a.word * machine.beta;
}

struct PreparedTrees {
  std::shared_ptr<const ForestPlan> plan;
  bool one_port = false;
  std::int64_t pieces = 1;
};
PreparedTrees prepared_trees(const Spec& spec, const Machine& machine, const Params& params, bool backwards) {
  const TreesAsked a = trees_asked(spec, machine, backwards);
  PreparedTrees p{forest_plan(a.question, params.get(tree_count.name, 1)), machine.ports == Ports::one};
  p.pieces = params.get(piece_count.name, 0);
  if (p.pieces == 0)
    p.pieces = best_pieces(spec, machine, *p.plan, wire_time(machine, a, tree_counts(a.question)->least));
  return p;
}

/// A run of pieces of a tree's share as pieces of its block. Every block has as many as the one with most trees.
schedule::PieceRun in_block(const flow::TreeRun& run, const ForestPlan& plan, std::int64_t from, std::int64_t before,
                            std::int64_t pieces) {
  const flow::RootedTree& tree = plan.trees[static_cast<std::size_t>(run.tree)];
  const std::int64_t own = plan.rooted[static_cast<std::size_t>(tree.root)],
                     most = *std::max_element(plan.rooted.begin(), plan.rooted.end());
  const std::int64_t start = before * pieces + from;
  const std::int64_t first = start * most / own, end = (start + run.pieces) * most / own;
  return {run.round, tree.parent[static_cast<std::size_t>(run.to)], run.to, 0, first, end - first};
}

SchedulePtr spread_schedule(const Spec& spec, const PreparedTrees& p, std::int64_t pieces) {
  const TreeSources sources = tree_sources(spec);
  const ForestPlan& plan = *p.plan;
  std::vector<std::int32_t> label(static_cast<std::size_t>(spec.ranks()), 0);
  for (std::size_t i = 0; i < sources.owners.size(); ++i)
    label[static_cast<std::size_t>(sources.owners[i])] = static_cast<std::int32_t>(i);
  std::vector<std::int64_t> before;  // copies of a root's trees before each
  std::vector<std::vector<std::int64_t>> arrived;
  for (std::size_t j = 0; j < plan.trees.size(); ++j) {
    const bool same = j > 0 && plan.trees[j].root == plan.trees[j - 1].root;
    before.push_back(same ? before.back() + plan.trees[j - 1].copies : 0);
    arrived.emplace_back(static_cast<std::size_t>(spec.ranks()), 0);
  }
  std::vector<schedule::PieceRun> runs;
  for (const flow::TreeRun& run : tree_rounds(plan.network, plan.trees, {plan.pace.rounds, p.one_port}, pieces)) {
    const auto tree = static_cast<std::size_t>(run.tree);
    std::int64_t& from = arrived[tree][static_cast<std::size_t>(run.to)];
    runs.push_back(in_block(run, plan, from, before[tree], pieces));
    runs.back().label = label[static_cast<std::size_t>(plan.trees[tree].root)];
    from += run.pieces;
  }
  const std::int64_t most = *std::max_element(plan.rooted.begin(), plan.rooted.end());
  const Shape shape{.ranks = spec.ranks(),
                    .out = std::ssize(sources.owners),
                    .cut = {.bytes = sources.largest, .parts = most * pieces},
                    .offsets = sources.offsets};
  return schedule::of_runs(shape, runs);
}

/// Messages between two ranks are divided as the trees' arcs are. Where a rank has one port, these pass its own place.
SchedulePtr on_ways_of_trees(const Spec& spec, const PreparedTrees& p, SchedulePtr schedule, bool backwards) {
  return p.one_port ? schedule : on_ways_of_arcs(spec, std::move(schedule), p.plan->logical, backwards);
}

/// On a link of slowness 1, as long as the cut takes that binds; of an all-reduce once.
double least_bytes(const Spec& spec, const Machine& machine) {
  if (spec.offsets) return 0;
  const TreesAsked a = trees_asked(as_spread(spec), machine, goes_up(spec));
  double least = tree_counts(a.question)->least.value() * a.unit;
  if (!spec.sources) {
    const Bytes blocks = goes_up(spec) && spec.collective != Collective::reduce_scatter ? most_blocks(spec) : 1;
    return least * static_cast<double>(spec.bytes / spec.element / blocks * spec.element);
  }
  double more = 1;  // words were rounded up
  for (std::size_t i = 0; i < spec.sources->ranks.size(); ++i) {
    const auto bytes = static_cast<double>(spec.sources->bytes(static_cast<Slot>(i)));
    const auto words = static_cast<double>(a.question.words[static_cast<std::size_t>(spec.sources->ranks[i])]);
    if (bytes == 0) return 0;
    more = std::max(more, words * a.word / bytes);
  }
  return least * a.word / more;
}

}  // namespace

/// Many roots take more attempts.
bool worth_splitting(const Spec& spec) {
  const auto all = static_cast<double>(spec.topology->vertices()), ranks = static_cast<double>(spec.ranks());
  return all * all * (all - ranks) * (most_blocks(spec) > 1 ? 4 : 1) <= worth_splits;
}

std::string trees_illegal(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (goes_up(spec) && t.shared_medium())
    return "messages of a shared medium are heard by all and have no dual; nearest: full";
  if (t.links() > most_tree_links || (!t.direct() && t.vertices() > most_tree_vertices))
    return fmt::format("{} has too many links or switches to search on; nearest: fewer ranks", t.text());
  if (t.direct()) return needs_free_links(spec, machine);
  if (!t.structure().routed || t.shared_medium() || !t.contended())
    return fmt::format(
        "needs links from rank to rank, or through switches that say their routes, and {} has none; "
        "nearest: {}",
        t.text(), nearest_torus(spec));
  if (half_duplex(machine)) return "switches pass messages both ways at once; try --set duplex=full";
  return routes_illegal(spec, machine);
}

std::string forest_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (const std::string reason = trees_illegal(spec, machine); !reason.empty()) return reason;
  if (const std::string reason = needs_balance(spec, machine); !reason.empty()) return reason;
  const std::int64_t count = params.get(tree_count.name, 1), turns = params.get(piece_count.name, 1);
  if (tree_looks(spec, count) > most_tree_looks)
    return fmt::format(
        "would look at {:.3g} arcs while trees grow, at most at {:.3g}; nearest: fewer trees, or fewer "
        "ranks",
        tree_looks(spec, count), most_tree_looks);
  const Bytes most = std::max<Bytes>(1, as_spread(spec).bytes);
  if (count > most || turns > most / count)
    return fmt::format("a block of {} has no {} parts; nearest: trees=1:pieces={}", as_spread(spec).bytes,
                       static_cast<double>(count) * static_cast<double>(turns), most);
  return {};
}

Claims forest_claims(const Spec& spec, const Machine& machine, const Params&) {
  const bool alone = spec.topology->direct();
  return {.contention_free = alone, .port_free = alone || machine.ports == Ports::one};
}

/// More than one tree is worth while where the wire takes longer than a few messages.
std::vector<Params> forest_variants(const Spec& spec, const Machine& machine) {
  const Spec spreads = as_spread(spec);
  const Machine on = goes_up(spec) ? combining(spec, machine) : machine;
  const auto with = [](std::int64_t count) { return Params{{std::string(tree_count.name), {count}}}; };
  if (tree_looks(spec, 1) > worth_tree_looks || !worth_splitting(spec)) return {};
  const TreesAsked a = trees_asked(spreads, on, goes_up(spec));
  const std::shared_ptr<const TreeCounts> counts = tree_counts(a.question);
  std::vector<Params> all;
  const bool is_long = wire_time(on, a, counts->least) > 8 * neighbour_startup(spec, machine);
  for (const TreeCount& count : counts->counts)
    if (all.empty() || (is_long && tree_looks(spec, count.trees) <= worth_tree_looks &&
                        forest_illegal(spec, machine, with(count.trees)).empty()))
      all.push_back(with(count.trees));
  return all;
}

Cost forest_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *forest_build(spec, machine, params));
}

/// In pieces that suit trees no deeper than the network is.
Seconds forest_least(const Spec& spec, const Machine& machine, const Params&) {
  if (spec.bytes == 0 || spec.ranks() == 1) return 0;
  const std::int64_t times = spec.collective == Collective::allreduce ? 2 : 1;
  const double bytes = least_bytes(spec, machine), depth = least_depth(spec),
               startup = neighbour_startup(spec, machine);
  const double ideal = startup > 0 ? std::sqrt((depth - 1) * bytes * machine.beta / startup) : HUGE_VAL;
  const double rounds = std::max(1.0, ideal);
  return static_cast<double>(times) *
         least_on_routes(spec, machine,
                         {.startups = static_cast<std::int64_t>(startup > 0 ? rounds + depth - 1 : depth),
                          .bytes = static_cast<Bytes>(bytes * (1 + (depth - 1) / rounds) * (1 - 1e-9))});
}

SchedulePtr forest_build(const Spec& spec, const Machine& machine, const Params& params) {
  using schedule::Results;
  const Spec spreads = as_spread(spec);
  if (!goes_up(spec)) {
    const PreparedTrees p = prepared_trees(spreads, machine, params, false);
    return on_ways_of_trees(spec, p, spread_schedule(spreads, p, p.pieces), false);
  }
  const Machine on = combining(spec, machine);
  const bool twice = spec.collective == Collective::allreduce, blocks = spreads.collective == Collective::allgather;
  const PreparedTrees up = prepared_trees(spreads, on, params, true);
  const PreparedTrees down = twice ? prepared_trees(spreads, on, params, false) : up;
  const std::int64_t turns = std::max(up.pieces, down.pieces);
  const schedule::Vector vector = vector_of(spec, blocks ? spec.ranks() : 1);
  const Results results = twice ? Results::everywhere : blocks ? Results::own_block : Results::at_root;
  SchedulePtr all = schedule::dual(spread_schedule(spreads, up, turns), vector, results, spec.root);
  if (twice) all = schedule::then(all, schedule::of_elements(spread_schedule(spreads, down, turns), vector));
  all = schedule::without_empty(all);
  return twice ? all : on_ways_of_trees(spec, up, all, true);
}

}  // namespace quadrille::algorithm::kit
