#include "algorithm/kit/forest_plan.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/recent.hpp"
#include "flow/splitting.hpp"
#include "flow/trees.hpp"

namespace quadrille::algorithm::kit {

namespace {

using flow::Ratio;
using flow::Words;

/// The fewest trees of ranks with equal words that lose nothing to rounding. 0: too many.
std::int64_t exact_count(const ForestQuestion& question, const Ratio& least) {
  constexpr std::int64_t most = 128;
  std::set<std::int64_t> words(question.words.begin(), question.words.end());
  words.erase(0);
  if (words.size() != 1) return 0;
  const Ratio time = least / Ratio(*words.begin());
  flow::Wide common = time.bottom();
  for (const flow::Arc& arc : question.network.arcs()) common = flow::greatest_common_divisor(common, arc.capacity);
  const flow::Wide count = time.bottom() / common;
  return count <= most ? static_cast<std::int64_t>(count) : 0;
}

TreeCounts count_trees(const ForestQuestion& question) {
  TreeCounts found{spread(question.network, question.words).time(), {}};
  const std::int64_t most = *std::max_element(question.words.begin(), question.words.end());
  std::set<std::int64_t> tried{1, 2, 4, 8, 16, 32, 64, 128};
  if (const std::int64_t exact = exact_count(question, found.least); exact > 0) tried.insert(exact);
  const Ratio near = found.least * Ratio(101, 100);
  for (const std::int64_t trees : tried) {
    if (!found.counts.empty() && found.counts.back().time <= near) break;
    const Ratio time =
        factor_for_trees(question.network, rooted_trees(question.words, trees)) * Ratio(most) / Ratio(trees);
    if (found.counts.empty() || time * Ratio(101, 100) < found.counts.back().time)
      found.counts.push_back({trees, time});
  }
  return found;
}

flow::LogicalNetwork without_switches(const ForestQuestion& question, const Words& rooted) {
  return split_off(scaled_down(question.network, factor_for_trees(question.network, rooted)), rooted);
}
/// Where switches could not all be split off without a loss, trees take longer, by as little as can be.
flow::Network room_for(const flow::LogicalNetwork& logical, const Words& rooted) {
  if (logical.complete) return logical.network;
  return scaled_down(logical.network, factor_for_trees(logical.network, rooted));
}

/// Tried with a few pieces of each copy, where these are few messages.
double waits_for_others(const ForestPlan& plan) {
  constexpr std::int64_t tried_pieces = 64, fewest_pieces = 8, most_messages = 1 << 18;
  const std::int64_t uses = std::max<std::int64_t>(1, std::ssize(plan.trees) * (plan.network.ranks() - 1));
  const std::int64_t pieces = std::min(tried_pieces, most_messages / uses);
  if (pieces < fewest_pieces || std::ssize(plan.trees) <= plan.network.ranks()) return 1;
  double alone = 0, of_round = 0;
  std::int32_t round = 0;
  const auto capacity = [&](std::int64_t from, std::int64_t to) {
    return static_cast<double>(plan.network.arcs()[static_cast<std::size_t>(plan.network.find(from, to))].capacity);
  };
  for (const flow::TreeRun& run : tree_rounds(plan.network, plan.trees, plan.pace, pieces)) {
    if (run.round != round) alone += std::exchange(of_round, 0), round = run.round;
    const std::int32_t from = plan.trees[static_cast<std::size_t>(run.tree)].parent[static_cast<std::size_t>(run.to)];
    of_round = std::max(of_round, run.pieces / capacity(from, run.to));
  }
  double together = 0;
  const std::vector<std::int64_t> loads = loads_of(plan.network, plan.trees);
  for (std::size_t a = 0; a < loads.size(); ++a)
    together = std::max(together, static_cast<double>(loads[a]) / static_cast<double>(plan.network.arcs()[a].capacity));
  return std::max(1.0, (alone + of_round) / (static_cast<double>(pieces + plan.depth - 1) * together));
}

ForestPlan plan_forest(const ForestQuestion& question, std::int64_t most) {
  Words rooted = rooted_trees(question.words, most);
  flow::LogicalNetwork logical = without_switches(question, rooted);
  ForestPlan plan{rooted, room_for(logical, rooted), std::move(logical), {}};
  plan.trees = forest(plan.network, plan.rooted);
  for (const flow::RootedTree& tree : plan.trees) plan.depth = std::max<std::int64_t>(plan.depth, tree.depth);
  plan.pace = pace_of(plan.network, plan.trees);
  plan.crowd = crowd_of(plan.trees);
  plan.waits = waits_for_others(plan);
  return plan;
}

/// Of all that plans for some dozen networks and numbers of trees have. Plans ask again for every size of block, and an
/// all-reduce asks for each number of trees both ways.
constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::size_t bytes_of(const ForestPlan& plan) {
  std::size_t bytes = plan.network.arcs().size() * sizeof(flow::Arc) + plan.rooted.size() * sizeof(plan.rooted[0]);
  for (const std::vector<flow::Through>& ways : plan.logical.ways)
    for (const flow::Through& way : ways) bytes += sizeof(way) + way.switches.size() * sizeof(flow::Vertex);
  for (const flow::RootedTree& tree : plan.trees) bytes += sizeof(tree) + tree.parent.size() * sizeof(tree.parent[0]);
  return 2 * bytes;  // the question has about as much
}

}  // namespace

std::vector<std::int64_t> forest_key(const ForestQuestion& question) {
  const flow::Network& network = question.network;
  std::vector<std::int64_t> key{network.vertices(), network.ranks()};
  key.insert(key.end(), network.hosts().begin(), network.hosts().end());
  key.insert(key.end(), question.words.begin(), question.words.end());
  for (const flow::Arc& arc : network.arcs()) key.insert(key.end(), {arc.from, arc.to, arc.capacity});
  return key;
}

std::int64_t crowd_of(const std::vector<flow::RootedTree>& trees) {
  if (trees.empty()) return 1;
  std::vector<std::set<std::int32_t>> to(trees.front().parent.size()), from(to.size());
  for (const flow::RootedTree& tree : trees)
    for (std::size_t v = 0; v < tree.parent.size(); ++v)
      if (const std::int32_t parent = tree.parent[v]; parent >= 0) {
        to[static_cast<std::size_t>(parent)].insert(static_cast<std::int32_t>(v));
        from[v].insert(parent);
      }
  std::size_t most = 1;
  for (std::size_t r = 0; r < to.size(); ++r) most = std::max({most, to[r].size(), from[r].size()});
  return static_cast<std::int64_t>(most);
}

Words rooted_trees(const Words& words, std::int64_t most) {
  const std::int64_t largest = *std::max_element(words.begin(), words.end());
  Words rooted;
  for (const std::int64_t n : words)
    rooted.push_back(n == 0 ? 0 : static_cast<std::int64_t>(Ratio(flow::multiply(n, most), largest).ceil()));
  return rooted;
}

std::shared_ptr<const TreeCounts> tree_counts(const ForestQuestion& question) {
  static base::Recent<std::vector<std::int64_t>, TreeCounts> known;
  return known.get(forest_key(question), [&] { return count_trees(question); });
}

std::shared_ptr<const ForestPlan> forest_plan(const ForestQuestion& question, std::int64_t trees) {
  static base::Recent<std::vector<std::int64_t>, ForestPlan> known(most_bytes);
  std::vector<std::int64_t> key = forest_key(question);
  key.push_back(trees);
  return known.get(
      std::move(key), [&] { return plan_forest(question, trees); }, bytes_of);
}

}  // namespace quadrille::algorithm::kit
