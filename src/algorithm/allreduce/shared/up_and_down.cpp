#include "algorithm/allreduce/shared/up_and_down.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/kit/duality.hpp"
#include "flow/tree_rounds.hpp"
#include "schedule/dual.hpp"
#include "schedule/pipelined_ways.hpp"
#include "schedule/runs.hpp"

namespace quadrille::algorithm::allreduce {

namespace {

using kit::ForestPlan;
using kit::SharedForest;
using schedule::PieceRun;

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

std::int64_t copies_of(const ForestPlan& plan) {
  std::int64_t copies = 0;
  for (const flow::RootedTree& tree : plan.trees) copies += tree.copies;
  return copies;
}

SchedulePtr pipelined(const Shape& shape, const ForestPlan& plan, std::int64_t pieces, schedule::PieceOrder order) {
  std::vector<schedule::PartsTree> trees;
  std::int64_t first = 0;
  for (const flow::RootedTree& tree : plan.trees) {
    trees.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(tree.copies), 0, tree.parent});
    first += tree.copies;
  }
  return schedule::pipelined_trees(shape, static_cast<std::int32_t>(first), static_cast<std::int32_t>(pieces), trees,
                                   order);
}

}  // namespace

SchedulePtr up_and_down(const Spec& spec, const SharedForest& plan, std::int64_t pieces, bool together) {
  using schedule::PieceOrder;
  const schedule::Vector vector = kit::vector_of(spec, 1);
  const Shape shape{.ranks = spec.ranks(),
                    .out = 1,
                    .cut = {.bytes = spec.bytes / spec.element, .parts = copies_of(plan.down) * pieces}};
  SchedulePtr down, up_backwards;
  Round shift = plan.up.depth;  // a piece is complete in the round before it goes down
  if (together) {
    down = pipelined(shape, plan.down, pieces, PieceOrder::first_to_last);
    up_backwards = pipelined(shape, plan.up, pieces, PieceOrder::last_to_first);
  } else {
    const BothWays ways = both_ways(plan, pieces);
    down = schedule::of_runs(shape, ways.down);
    up_backwards = schedule::of_runs(shape, ways.up_backwards);
    shift = ways.shift;
  }
  const SchedulePtr up = schedule::dual(up_backwards, vector, schedule::Results::everywhere);
  return schedule::without_empty(schedule::overlapped(up, schedule::of_elements(down, vector), shift));
}

Round rounds_up_and_down(const SharedForest& plan, std::int64_t pieces, bool together) {
  return together ? plan.up.depth + plan.down.depth + pieces - 1 : both_ways(plan, pieces).rounds;
}

}  // namespace quadrille::algorithm::allreduce
