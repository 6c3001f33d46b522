#include "algorithm/kit/forest.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/forest_plan.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/spread_trees.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/kit/tree_pieces.hpp"
#include "algorithm/kit/tree_ways.hpp"
#include "algorithm/kit/ways.hpp"
#include "algorithm/on_routes.hpp"
#include "cost/network_graph.hpp"
#include "schedule/dual.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr double most_tree_looks = 1U << 31, worth_tree_looks = 1 << 28;  ///< at arcs: a minute, some seconds
constexpr double worth_splits = 1 << 24;  ///< at pairs of vertices for every switch: some seconds
constexpr Link most_tree_links = 1 << 16;
constexpr std::int64_t most_tree_vertices = 1 << 11;  ///< of networks with switches: tables have its square
/// To arcs of trees, in all rounds, where one tree goes over an arc at a time: one or two seconds; and of all together.
constexpr std::int64_t most_piece_visits = 1 << 21, most_visits_together = 3 << 20, most_pieces = 1 << 12;

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

/// `wire`: seconds that all the work takes.
TreeMessages messages_of(const Spec& spec, const Machine& machine, const ForestPlan& plan, Seconds wire) {
  const TreeSources sources = tree_sources(spec);
  const std::int64_t uses = std::max<std::int64_t>(1, std::ssize(plan.trees) * (spec.ranks() - 1)),
                     shares = *std::max_element(plan.rooted.begin(), plan.rooted.end()), each = plan.pace.rounds;
  Bytes largest = 1;
  double all = 0;
  for (std::size_t i = 0; i < sources.owners.size(); ++i) {
    largest = std::max(largest, sources.bytes(i));
    all += static_cast<double>(sources.bytes(i));
  }
  const Bytes most = std::min<Bytes>(most_pieces, largest / shares);
  const Seconds startup =
      neighbour_startup(spec, machine) + static_cast<double>(plan.crowd - 1) * further_time(machine);
  const TreePieces alone = best_pieces(
      {each, plan.depth - each, std::min(most, most_piece_visits / uses / each), wire * plan.waits}, startup);
  if (machine.ports == Ports::one) return {false, alone.pieces};
  const TreePieces together = best_pieces({1, plan.depth - 1, std::min(most, most_visits_together / uses), wire,
                                           rounded_words(spec, wire, largest / shares)},
                                          startup);
  const Seconds packing = 2 * all * machine.rho;  // what is sent, and what comes
  return best_messages(alone, together, packing);
}

Seconds wire_time(const Machine& machine, const TreesAsked& a, const flow::Ratio& time) {
  return time.value() * a.unit * a.word * machine.beta;
}

PreparedTrees prepared_trees(const Spec& spec, const Machine& machine, const Params& params, bool backwards) {
  const TreesAsked a = trees_asked(spec, machine, backwards);
  PreparedTrees p{forest_plan(a.question, params.get(tree_count.name, 1)), machine.ports == Ports::one};
  const TreeMessages best = messages_of(spec, machine, *p.plan, wire_time(machine, a, tree_counts(a.question)->least));
  p.together = best.together;
  p.pieces = params.get(piece_count.name, best.pieces);
  return p;
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
