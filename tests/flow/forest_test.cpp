// Trees from many roots: they span, as many as were asked for, and take no more of an arc than it has; switches are
// split off without a loss; rounds down the trees carry every piece once, and not before it is there.
#include "flow/forest.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "cost/network_graph.hpp"
#include "flow/splitting.hpp"
#include "flow/tree_rounds.hpp"
#include "flow/trees.hpp"
#include "topology/graph/network.hpp"
#include "torus.hpp"

namespace quadrille::flow {
namespace {

/// Trees that reach every rank within the arcs; counted apart from check_forest().
void expect_forest(const Network& network, const Words& trees, const std::vector<RootedTree>& forest) {
  std::map<std::pair<Vertex, Vertex>, std::int64_t> load;
  Words copies(trees.size(), 0);
  for (const RootedTree& tree : forest) {
    copies[static_cast<std::size_t>(tree.root)] += tree.copies;
    std::int32_t deepest = 0;
    for (Rank r = 0; r < network.ranks(); ++r) {
      const Rank parent = tree.parent[static_cast<std::size_t>(r)];
      ASSERT_EQ(parent < 0, r == tree.root);
      if (parent >= 0) load[{parent, r}] += tree.copies;
      std::int32_t steps = 0;
      for (Rank v = r; v != tree.root; v = tree.parent[static_cast<std::size_t>(v)])
        ASSERT_LT(steps++, network.ranks()) << "a circle";
      deepest = std::max(deepest, steps);
    }
    EXPECT_EQ(tree.depth, deepest);
  }
  EXPECT_EQ(copies, trees);
  for (const auto& [ends, amount] : load) {
    const std::int64_t place = network.find(ends.first, ends.second);
    ASSERT_GE(place, 0);
    EXPECT_LE(amount, network.arcs()[static_cast<std::size_t>(place)].capacity);
  }
}

void expect_rounds(const Network& network, const std::vector<RootedTree>& forest, std::int64_t pieces) {
  const TreePace pace = pace_of(network, forest);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> has;  // pieces of a tree at a rank, from earlier rounds
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> comes;
  std::map<std::pair<Rank, Rank>, std::int32_t> last;
  for (std::size_t j = 0; j < forest.size(); ++j)
    has[{static_cast<std::int32_t>(j), static_cast<std::int32_t>(forest[j].root)}] = forest[j].copies * pieces;
  std::int32_t round = 0;
  for (const TreeRun& run : tree_rounds(network, forest, pace, pieces)) {
    for (; round < run.round; ++round) {
      for (const auto& [where, amount] : comes) has[where] += amount;
      comes.clear();
    }
    ASSERT_EQ(run.round, round);
    const std::int32_t from = forest[static_cast<std::size_t>(run.tree)].parent[static_cast<std::size_t>(run.to)];
    ASSERT_GT(run.pieces, 0);
    EXPECT_LE((has[{run.tree, run.to}] + run.pieces), (has[{run.tree, from}])) << "sent before it came";
    const auto [before, first] = last.try_emplace({from, run.to}, run.round);
    EXPECT_TRUE(first || before->second < run.round) << "two trees on one arc in a round";
    before->second = run.round;
    comes[{run.tree, run.to}] += run.pieces;
  }
  for (const auto& [where, amount] : comes) has[where] += amount;
  for (std::size_t j = 0; j < forest.size(); ++j)
    for (Rank r = 0; r < network.ranks(); ++r)
      EXPECT_EQ((has[{static_cast<std::int32_t>(j), static_cast<std::int32_t>(r)}]), forest[j].copies * pieces);
}

/// Splits switches off, packs trees, and sends pieces down them.
LogicalNetwork expect_all(const Network& network, const Words& trees) {
  const Network scaled = scaled_down(network, factor_for_trees(network, trees));
  LogicalNetwork logical = split_off(scaled, trees);
  EXPECT_TRUE(logical.complete);
  check_ways(scaled, logical);
  const std::vector<RootedTree> found = forest(logical.network, trees);
  expect_forest(logical.network, trees, found);
  expect_rounds(logical.network, found, 3);
  return logical;
}

Network random_network(std::mt19937& random, Vertex hosts, Vertex switches, std::uint32_t most) {
  std::vector<Vertex> ranks(static_cast<std::size_t>(hosts));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<Arc> arcs;
  const auto join = [&](Vertex a, Vertex b) {
    const auto capacity = static_cast<std::int64_t>(1 + random() % most);
    arcs.push_back({a, b, capacity}), arcs.push_back({b, a, capacity});
  };
  for (Vertex v = 1; v < hosts + switches; ++v) join(v, static_cast<Vertex>(random() % static_cast<std::uint32_t>(v)));
  for (Vertex extra = 0; extra < hosts + switches; ++extra) {
    const auto a = static_cast<Vertex>(random() % static_cast<std::uint32_t>(hosts + switches)),
               b = static_cast<Vertex>(random() % static_cast<std::uint32_t>(hosts + switches));
    if (a != b) join(a, b);
  }
  return {hosts + switches, ranks, arcs};
}

TEST(Forest, FitsAnyNetworkOfLinksBothWays) {
  std::mt19937 random(11);
  for (int turn = 0; turn < 150; ++turn) {
    SCOPED_TRACE(turn);
    const auto hosts = static_cast<Vertex>(2 + random() % 7), switches = static_cast<Vertex>(random() % 6);
    const Network network = random_network(random, hosts, switches, turn % 2 == 0 ? 3 : 150);
    Words trees(static_cast<std::size_t>(hosts));
    for (std::int64_t& n : trees) n = static_cast<std::int64_t>(random() % 4);
    trees.front() = 1 + turn % 5;
    expect_all(network, trees);
  }
}

Network named(const char* text) { return cost::graph_of(topology::network_of(*parse_topology(text))); }

TEST(Forest, SplitsSwitchesOffKnownMachines) {
  for (const char* text : {"dgx-a100:2", "dgx-a100:4", "dgx-h100:2", "mi250:2", "fattree:4", "fattree:4/2",
                           "dragonfly:4,2,2", "tree:3,2", "xgft:2;4,4;1,2;2,3", "flatbfly:3,3"}) {
    SCOPED_TRACE(text);
    const Network network = named(text);
    expect_all(network, one_each(network));
  }
}

TEST(Forest, KeepsTheExactTimeOfTwoBoxesOfAccelerators) {
  const Network network = named("dgx-a100:2");
  const Words trees(16, 13);
  EXPECT_EQ(factor_for_trees(network, trees) / Ratio(13), Ratio(3, 65));
  const LogicalNetwork logical = expect_all(network, trees);
  EXPECT_LE(spread(logical.network, trees).time(), Ratio(1));
}

TEST(Forest, SendsAsManyRoundsAsATorusNeedsAndFewMore) {
  const Network network = torus_network(8, 8, false);
  const Words trees = one_each(network);
  const Network scaled = scaled_down(network, factor_for_trees(network, trees));
  const std::vector<RootedTree> found = forest(scaled, trees);
  const TreePace pace = pace_of(scaled, found);
  EXPECT_EQ(pace.rounds, 16);
  const std::int32_t rounds = tree_rounds(scaled, found, pace, 8).back().round + 1;
  EXPECT_GE(rounds, 8 * 63 / 4);
  EXPECT_LE(rounds, 8 * 16 + 8);
}

/// Every arc has a piece to carry in every round but a few. Where roots hand out as fast as arcs take it, some wait for
/// others that serve another tree: 762 and 1580 rounds for 64 pieces.
TEST(Forest, LeavesNoArcIdleForLong) {
  const Network kautz = named("kautz:3,2").reversed();
  for (const auto& [network, of_a_piece] : {std::pair(kautz, 11), {named("hypercube:5"), 19}}) {
    const Words trees(static_cast<std::size_t>(network.ranks()), 3);
    const Network scaled = scaled_down(network, factor_for_trees(network, trees));
    const std::vector<RootedTree> found = forest(scaled, trees);
    const TreePace pace = pace_of(scaled, found);
    ASSERT_EQ(pace.rounds, of_a_piece);
    EXPECT_LE(tree_rounds(scaled, found, pace, 64).back().round + 1, 64 * of_a_piece * 51 / 50);
    expect_rounds(scaled, found, 64);
  }
}

TEST(Forest, RefusesMoreTreesThanFit) {
  EXPECT_THROW(forest(torus_network(3, 3, false), Words(9, 2)), Error);
  EXPECT_THROW(forest({3, {0, 1, 2}, {{0, 1, 1}, {1, 0, 1}, {2, 0, 1}}}, {1, 0, 0}), Error);
}

TEST(Forest, FindsWhatIsWrongWithTrees) {
  const Network ring(3, {0, 1, 2}, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}});
  const Words trees{1, 0, 0};
  EXPECT_NO_THROW(check_forest(ring, trees, {{0, 1, {-1, 0, 1}, 2}}));
  EXPECT_THROW(check_forest(ring, trees, {{0, 1, {-1, 0, 0}, 1}}), Error) << "no such arc";
  EXPECT_THROW(check_forest(ring, trees, {{0, 2, {-1, 0, 1}, 2}}), Error) << "more copies than fit";
  EXPECT_THROW(check_forest(ring, trees, {{0, 1, {-1, 2, 1}, 2}}), Error) << "a circle";
  EXPECT_THROW(check_forest(ring, trees, {}), Error) << "none";
}

}  // namespace
}  // namespace quadrille::flow
