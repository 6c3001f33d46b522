#include "algorithm/kit/shared_forest.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "algorithm/kit/recent.hpp"
#include "flow/shared_trees.hpp"
#include "flow/splitting.hpp"
#include "flow/trees.hpp"

namespace quadrille::algorithm::kit {

namespace {

using flow::Ratio;
using flow::Vertex;

/// The fewest trees that lose nothing to rounding. 0: too many.
std::int64_t exact_count(const flow::Network& links, const Ratio& least) {
  constexpr std::int64_t most = 256;
  flow::Wide count = least.bottom();
  for (const flow::Arc& arc : links.arcs()) {
    const bool even = !links.is_host(arc.from) || !links.is_host(arc.to);
    const Ratio carried = least * Ratio(arc.capacity) * Ratio(1, even ? 2 : 1);  // for each tree
    count = count / flow::greatest_common_divisor(count, carried.bottom()) * carried.bottom();
    if (count > most) return 0;
  }
  return static_cast<std::int64_t>(count);
}

TreeCounts count_trees(const flow::Network& links) {
  TreeCounts found{flow::shared_trees(links).time, {}};
  std::set<std::int64_t> attempted{1, 2, 4, 8, 16, 32, 64};
  if (const std::int64_t exact = exact_count(links, found.least); exact > 0) attempted.insert(exact);
  const Ratio near = found.least * Ratio(101, 100);
  for (const std::int64_t trees : attempted) {
    if (!found.counts.empty() && found.counts.back().time <= near) break;
    const Ratio time = factor_for_links(links, found.least, trees) / Ratio(trees);
    if (found.counts.empty() || time * Ratio(101, 100) < found.counts.back().time)
      found.counts.push_back({trees, time});
  }
  return found;
}

/// Distances from a rank over a tree's arcs, whichever way; -1 of parents stands for the root.
std::vector<std::int32_t> distances_in(const std::vector<std::vector<std::int32_t>>& beside, std::int32_t from,
                                       std::vector<std::int32_t>& parent) {
  std::vector<std::int32_t> far(beside.size(), -1), order{from};
  parent.assign(beside.size(), -1);
  far[static_cast<std::size_t>(from)] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::int32_t next : beside[static_cast<std::size_t>(order[i])]) {
      if (far[static_cast<std::size_t>(next)] >= 0) continue;
      far[static_cast<std::size_t>(next)] = far[static_cast<std::size_t>(order[i])] + 1;
      parent[static_cast<std::size_t>(next)] = order[i];
      order.push_back(next);
    }
  return far;
}

std::int32_t farthest(const std::vector<std::int32_t>& far) {
  return static_cast<std::int32_t>(std::max_element(far.begin(), far.end()) - far.begin());
}

/// The same tree, rooted in the middle of its longest way.
void root_in_the_middle(flow::RootedTree& tree) {
  std::vector<std::vector<std::int32_t>> beside(tree.parent.size());
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    if (tree.parent[v] < 0) continue;
    beside[v].push_back(tree.parent[v]);
    beside[static_cast<std::size_t>(tree.parent[v])].push_back(static_cast<std::int32_t>(v));
  }
  std::vector<std::int32_t> parent;
  const std::int32_t one = farthest(distances_in(beside, 0, parent));
  const std::vector<std::int32_t> far = distances_in(beside, one, parent);
  std::int32_t middle = farthest(far);
  for (std::int32_t steps = far[static_cast<std::size_t>(middle)] / 2; steps > 0; --steps)
    middle = parent[static_cast<std::size_t>(middle)];
  const std::vector<std::int32_t> depth = distances_in(beside, middle, tree.parent);
  tree.root = middle;
  tree.depth = depth[static_cast<std::size_t>(farthest(depth))];
}

/// What trees take of arcs, down them.
flow::Network network_of(Rank ranks, const std::vector<flow::RootedTree>& trees) {
  std::vector<flow::Arc> arcs;
  for (const flow::RootedTree& tree : trees)
    for (std::size_t v = 0; v < tree.parent.size(); ++v)
      if (tree.parent[v] >= 0) arcs.push_back({tree.parent[v], static_cast<Vertex>(v), tree.copies});
  std::vector<Vertex> hosts(static_cast<std::size_t>(ranks));
  std::iota(hosts.begin(), hosts.end(), Vertex{0});
  return {ranks, hosts, std::move(arcs)};
}

/// Where switches could not all be split off in time: trees take longer.
flow::Network with_room(const flow::Network& between, const flow::Words& rooted) {
  try {
    return scaled_down(between, factor_for_trees(between, rooted));
  } catch (const Error&) {  // some ranks are not joined any more
    throw Error(Error::Kind::budget, "switches could not be replaced by arcs between ranks in time");
  }
}

ForestPlan plan_forest(const flow::Network& links, std::int64_t trees) {
  const std::shared_ptr<const TreeCounts> counts = shared_tree_counts(links);
  const flow::Network scaled = scaled_links(links, factor_for_links(links, counts->least, trees));
  flow::TreesOnLinks found = trees_on_links(scaled, trees);
  const flow::LogicalNetwork logical =
      flow::split_off({links.vertices(), links.hosts(), std::move(found.down)}, found.rooted);
  const flow::Network between = logical.complete ? logical.network : with_room(logical.network, found.rooted);
  ForestPlan plan{{trees}, between, forest(between, found.rooted)};
  for (flow::RootedTree& tree : plan.trees) {
    root_in_the_middle(tree);
    plan.depth = std::max<std::int64_t>(plan.depth, tree.depth);
  }
  plan.network = network_of(links.ranks(), plan.trees);
  plan.pace = pace_of(plan.network, plan.trees);
  plan.crowd = crowd_of(plan.trees);
  return plan;
}

std::vector<std::int64_t> links_key(const flow::Network& links) { return forest_key({links, {}}); }

}  // namespace

std::shared_ptr<const TreeCounts> shared_tree_counts(const flow::Network& links) {
  static Recent<std::vector<std::int64_t>, TreeCounts> known;
  return known.get(links_key(links), [&] { return count_trees(links); });
}

std::shared_ptr<const ForestPlan> shared_forest_plan(const flow::Network& links, std::int64_t trees) {
  static Recent<std::vector<std::int64_t>, ForestPlan> known;
  std::vector<std::int64_t> key = links_key(links);
  key.push_back(trees);
  return known.get(std::move(key), [&] { return plan_forest(links, trees); });
}

}  // namespace quadrille::algorithm::kit
