#include "algorithm/kit/spread_trees.hpp"

#include <algorithm>

#include "flow/tree_rounds.hpp"
#include "quadrille/sources.hpp"
#include "schedule/pipelined_ways.hpp"
#include "schedule/runs.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Places in the blocks of all roots.
class SpreadBlocks {
 public:
  SpreadBlocks(const ForestPlan& plan, const TreeSources& sources)
      : plan_(plan), label_(plan.rooted.size(), 0), most_(*std::max_element(plan.rooted.begin(), plan.rooted.end())) {
    for (std::size_t i = 0; i < sources.owners.size(); ++i)
      label_[static_cast<std::size_t>(sources.owners[i])] = static_cast<std::int32_t>(i);
    for (std::size_t j = 0; j < plan.trees.size(); ++j) {
      const bool same = j > 0 && plan.trees[j].root == plan.trees[j - 1].root;
      before_.push_back(same ? before_.back() + plan.trees[j - 1].copies : 0);
    }
  }
  /// Parts that every block is cut in: as many as the one with most trees has.
  std::int64_t parts() const { return most_; }
  std::int32_t label(std::size_t tree) const { return label_[static_cast<std::size_t>(plan_.trees[tree].root)]; }
  /// So many pieces from one of a tree's share on, as pieces of its block; each part has `pieces`.
  struct Stretch {
    std::int64_t first, pieces;
  };
  Stretch stretch(std::size_t tree, std::int64_t from, std::int64_t count, std::int64_t pieces) const {
    const std::int64_t own = plan_.rooted[static_cast<std::size_t>(plan_.trees[tree].root)],
                       start = before_[tree] * pieces + from, first = start * most_ / own;
    return {first, (start + count) * most_ / own - first};
  }

 private:
  const ForestPlan& plan_;
  std::vector<std::int32_t> label_;  ///< of the block of every rank
  std::int64_t most_;
  std::vector<std::int64_t> before_;  ///< copies of a root's trees before each
};

SchedulePtr one_tree_at_a_time(const Shape& shape, const PreparedTrees& p, const SpreadBlocks& blocks,
                               std::int64_t pieces) {
  const ForestPlan& plan = *p.plan;
  std::vector<std::vector<std::int64_t>> arrived(plan.trees.size(), std::vector<std::int64_t>(plan.rooted.size(), 0));
  std::vector<schedule::PieceRun> runs;
  for (const flow::TreeRun& run : tree_rounds(plan.network, plan.trees, {plan.pace.rounds, p.one_port}, pieces)) {
    const auto tree = static_cast<std::size_t>(run.tree), to = static_cast<std::size_t>(run.to);
    std::int64_t& from = arrived[tree][to];
    const auto [first, count] = blocks.stretch(tree, from, run.pieces, pieces);
    runs.push_back({run.round, plan.trees[tree].parent[to], run.to, blocks.label(tree), first, count});
    from += run.pieces;
  }
  return schedule::of_runs(shape, runs);
}

SchedulePtr all_together(const Shape& shape, const PreparedTrees& p, const SpreadBlocks& blocks, std::int64_t pieces) {
  const ForestPlan& plan = *p.plan;
  std::vector<schedule::PartsTree> trees;
  for (std::size_t j = 0; j < plan.trees.size(); ++j) {
    const auto [first, count] = blocks.stretch(j, 0, plan.trees[j].copies, 1);
    trees.push_back(
        {static_cast<std::int32_t>(first), static_cast<std::int32_t>(count), blocks.label(j), plan.trees[j].parent});
  }
  return schedule::pipelined_trees(shape, static_cast<std::int32_t>(blocks.parts()), static_cast<std::int32_t>(pieces),
                                   trees);
}

}  // namespace

TreeSources tree_sources(const Spec& spec) {
  if (spec.sources) return {spec.sources->ranks, {spec.sources, &spec.sources->offset}, spec.bytes};
  if (spec.collective == Collective::bcast) return {{spec.root}, {}, spec.bytes};
  TreeSources all{{}, {}, spec.bytes};
  for (Rank r = 0; r < spec.ranks(); ++r) all.owners.push_back(r);
  return all;
}

SchedulePtr spread_schedule(const Spec& spec, const PreparedTrees& p, std::int64_t pieces) {
  const TreeSources sources = tree_sources(spec);
  const SpreadBlocks blocks(*p.plan, sources);
  const Shape shape{.ranks = spec.ranks(),
                    .out = std::ssize(sources.owners),
                    .cut = {.bytes = sources.largest, .parts = blocks.parts() * pieces},
                    .offsets = sources.offsets};
  return p.together ? all_together(shape, p, blocks, pieces) : one_tree_at_a_time(shape, p, blocks, pieces);
}

}  // namespace quadrille::algorithm::kit
