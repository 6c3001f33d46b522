#include "algorithm/kit/shared_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "algorithm/kit/turns.hpp"
#include "base/recent.hpp"
#include "flow/paired_trees.hpp"
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

std::vector<std::int64_t> trees_key(const flow::Network& links, std::int64_t trees) {
  std::vector<std::int64_t> key = forest_key({links, {}});
  key.push_back(trees);
  return key;
}

std::shared_ptr<const flow::PairedTrees> known_pairs(const flow::Network& links, std::int64_t trees) {
  static base::Recent<std::vector<std::int64_t>, flow::PairedTrees> known;
  return known.get(trees_key(links, trees), [&] { return flow::tree_pairs(links, trees); });
}

TreeCounts count_pairs(const flow::Network& links) {
  std::int64_t capacity = 0;
  for (const flow::Arc& arc : links.arcs()) capacity += arc.capacity;
  TreeCounts found{Ratio(2 * (links.ranks() - 1), capacity), {}};
  // A link that half of the trees take carries a whole number of odd ones with the least loss.
  std::set<std::int64_t> attempted{1, 2, 3, 4, 7, 15, 31, 63, 127};
  if (found.least.bottom() <= 128) attempted.insert(static_cast<std::int64_t>(found.least.bottom()));
  const Ratio near = found.least * Ratio(101, 100);
  for (const std::int64_t trees : attempted) {
    if (!found.counts.empty() && found.counts.back().time <= near) break;
    const auto pairs = known_pairs(links, trees);
    const flow::PairLoads loads = loads_of(links, pairs->down, pairs->up);
    Ratio time = 0;
    for (std::size_t a = 0; a < loads.down.size(); ++a)
      time = std::max(time, Ratio(loads.down[a] + loads.up[a], trees * links.arcs()[a].capacity));
    if (found.counts.empty() || time * Ratio(201, 200) < found.counts.back().time)
      found.counts.push_back({trees, time});
  }
  return found;
}

TreeCounts count_trees(const flow::Network& links) {
  if (!flow::leads_both_ways(links)) return count_pairs(links);
  TreeCounts found{flow::shared_trees(links).time, {}};
  std::set<std::int64_t> attempted{1, 2, 4, 8, 16, 32, 64, 128, 256};
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

/// Of trees that take what they need of arcs.
ForestPlan plan_of(std::vector<flow::RootedTree> trees, Rank ranks) {
  flow::Network network = network_of(ranks, trees);
  ForestPlan plan{{}, network, {network, {}, true}, std::move(trees)};
  for (const flow::RootedTree& tree : plan.trees) {
    plan.depth = std::max<std::int64_t>(plan.depth, tree.depth);
    plan.rooted.resize(1), plan.rooted[0] += tree.copies;
  }
  plan.crowd = crowd_of(plan.trees);
  return plan;
}

/// What leads from one rank to another passes switches as it does, or as what leads back.
flow::LogicalNetwork both_ways(const flow::LogicalNetwork& logical) {
  std::map<std::pair<Vertex, Vertex>, std::vector<flow::Through>> passed;
  const std::vector<flow::Arc>& given = logical.network.arcs();
  for (std::size_t a = 0; a < given.size(); ++a)
    for (const flow::Through& way : logical.ways[a]) {
      passed[{given[a].from, given[a].to}].push_back(way);
      passed[{given[a].to, given[a].from}].push_back({way.amount, {way.switches.rbegin(), way.switches.rend()}});
    }
  std::vector<flow::Arc> arcs;
  flow::LogicalNetwork all{logical.network, {}, logical.complete};
  for (auto& [ends, ways] : passed) {
    std::int64_t amount = 0;
    for (const flow::Through& way : ways) amount += way.amount;
    arcs.push_back({ends.first, ends.second, amount});
    all.ways.push_back(std::move(ways));
  }
  all.network = flow::Network(logical.network.vertices(), logical.network.hosts(), std::move(arcs));
  return all;
}

/// Each rooted in its middle.
ForestPlan trees_both_ways(const flow::Network& links, std::int64_t trees) {
  const std::shared_ptr<const TreeCounts> counts = shared_tree_counts(links);
  const flow::Network scaled = scaled_links(links, factor_for_links(links, counts->least, trees));
  flow::TreesOnLinks found = trees_on_links(scaled, trees);
  const flow::LogicalNetwork logical =
      flow::split_off({links.vertices(), links.hosts(), std::move(found.down)}, found.rooted);
  const flow::Network between = logical.complete ? logical.network : with_room(logical.network, found.rooted);
  std::vector<flow::RootedTree> all = forest(between, found.rooted);
  for (flow::RootedTree& tree : all) root_in_the_middle(tree);
  ForestPlan plan = plan_of(std::move(all), links.ranks());
  plan.logical = both_ways(logical);
  return plan;
}

SharedForest plan_forest(const flow::Network& links, std::int64_t trees) {
  if (!flow::leads_both_ways(links)) {
    const auto pairs = known_pairs(links, trees);
    SharedForest plan{plan_of(pairs->down, links.ranks()), plan_of(pairs->up, links.ranks())};
    take_turns(links, plan);
    return plan;
  }
  ForestPlan down = trees_both_ways(links, trees);
  down.pace = pace_of(down.network, down.trees);
  down.pace.evenly = true;
  SharedForest plan{down, down, true};
  // Through switches links are not known to be those of arcs.
  if (down.pace.rounds == 1 && trees > 1 && links.ranks() == links.vertices()) take_turns(links, plan);
  return plan;
}

}  // namespace

std::string shared_forest_illegal(const flow::Network& links, const std::string& name) {
  constexpr std::int64_t most_looks = std::int64_t{1} << 19;  // at links, for every rank and flow: tenths of a second
  if (!flow::leads_both_ways(links))
    return flow::small_enough_for_pairs(links)
               ? std::string{}
               : fmt::format(
                     "{} has links that lead one way, or are slower one way, and switches or too many links "
                     "beside; nearest: links both ways",
                     name);
  return flow::shared_trees_looks(links) <= most_looks
             ? std::string{}
             : fmt::format("{} has too many links to search on; nearest: fewer ranks", name);
}

std::shared_ptr<const TreeCounts> shared_tree_counts(const flow::Network& links) {
  static base::Recent<std::vector<std::int64_t>, TreeCounts> known;
  return known.get(forest_key({links, {}}), [&] { return count_trees(links); });
}

std::shared_ptr<const SharedForest> shared_forest_plan(const flow::Network& links, std::int64_t trees) {
  static base::Recent<std::vector<std::int64_t>, SharedForest> known;
  return known.get(trees_key(links, trees), [&] { return plan_forest(links, trees); });
}

}  // namespace quadrille::algorithm::kit
