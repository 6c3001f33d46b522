// Cheapest trees against all trees, and pairs of trees: spanning, from one root, and as even as can be.
#include "flow/paired_trees.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "flow/branchings.hpp"
#include "flow/requirement.hpp"

namespace quadrille::flow {
namespace {

/// A ring one way round, in which all are reached, and some arcs more.
Network random_one_way(std::mt19937& random, Vertex vertices, std::int64_t most) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < vertices; ++v) arcs.push_back({v, (v + 1) % vertices, 1 + below(most)});
  for (std::int64_t more = below(2 * vertices); more > 0; --more)
    if (const Vertex from = below(vertices), to = below(vertices); from != to)
      arcs.push_back({from, to, 1 + below(most)});
  std::vector<Vertex> hosts(at(vertices));
  std::iota(hosts.begin(), hosts.end(), Vertex{0});
  return {vertices, hosts, arcs};
}

/// Steps from a vertex to the root by the arcs that reach vertices; -1: it goes round.
std::int64_t steps(const std::vector<std::int32_t>& into, const std::vector<Arc>& arcs, Vertex v) {
  std::int64_t far = 0;
  for (; into[at(v)] >= 0; v = arcs[at(into[at(v)])].from)
    if (++far > std::ssize(into)) return -1;
  return far;
}

/// Of all choices of an arc into each vertex that go round nowhere.
double least_of_all(Vertex root, const Network& network, const std::vector<double>& costs) {
  std::vector<std::vector<std::int32_t>> entering(at(network.vertices()));
  for (std::size_t i = 0; i < network.arcs().size(); ++i)
    entering[at(network.arcs()[i].to)].push_back(static_cast<std::int32_t>(i));
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> place(entering.size(), 0);
  for (bool more = true; more;) {
    std::vector<std::int32_t> into(entering.size(), -1);
    double sum = 0;
    for (std::size_t v = 0; v < entering.size(); ++v)
      if (static_cast<Vertex>(v) != root) into[v] = entering[v][place[v]], sum += costs[at(into[v])];
    bool spans = true;
    for (Vertex v = 0; v < network.vertices(); ++v) spans = spans && steps(into, network.arcs(), v) >= 0;
    if (spans) least = std::min(least, sum);
    more = false;
    for (std::size_t v = 0; v < place.size() && !more; ++v) {
      more = static_cast<Vertex>(v) != root && ++place[v] < entering[v].size();
      if (!more) place[v] = 0;
    }
  }
  return least;
}

TEST(CheapestBranching, IsTheCheapestOfAll) {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const Network network = random_one_way(random, 2 + static_cast<Vertex>(random() % 5), 1);
    std::vector<double> costs;
    for (std::size_t a = 0; a < network.arcs().size(); ++a) costs.push_back(static_cast<double>(random() % 8));
    for (Vertex root = 0; root < network.vertices(); ++root) {
      const std::vector<std::int32_t> into = cheapest_branching(network.vertices(), root, network.arcs(), costs);
      double sum = 0;
      for (Vertex v = 0; v < network.vertices(); ++v) {
        ASSERT_EQ(into[at(v)] < 0, v == root);
        ASSERT_GE(steps(into, network.arcs(), v), 0);
        if (v != root) sum += costs[at(into[at(v)])];
      }
      EXPECT_EQ(sum, least_of_all(root, network, costs)) << i << " from " << root;
    }
  }
}

TEST(CheapestBranching, SaysThatSomeCannotBeReached) {
  EXPECT_THROW(cheapest_branching(3, 0, {{0, 1, 1}, {2, 1, 1}}, {1, 1}), Error);
  EXPECT_THROW(cheapest_branching(4, 0, {{0, 1, 1}, {2, 3, 1}, {3, 2, 1}}, {1, 1, 1}), Error);
}

void expect_spans(const Network& network, const RootedTree& tree, bool is_up) {
  std::int32_t deepest = 0;
  for (Rank r = 0; r < network.ranks(); ++r) {
    const Rank parent = tree.parent[at(r)];
    ASSERT_EQ(parent < 0, r == tree.root);
    if (parent >= 0) {
      ASSERT_GE(is_up ? network.find(r, parent) : network.find(parent, r), 0) << "an arc that is not there";
    }
    std::int32_t far = 0;
    for (Rank v = r; tree.parent[at(v)] >= 0; v = tree.parent[at(v)]) ASSERT_LE(++far, network.ranks());
    deepest = std::max(deepest, far);
  }
  EXPECT_EQ(tree.depth, deepest);
}

TEST(PairedTrees, SpanFromOneRootUpAndDown) {
  std::mt19937 random(8);
  for (int i = 0; i < 60; ++i) {
    const Network network = random_one_way(random, 2 + static_cast<Vertex>(random() % 9), i % 2 == 0 ? 1 : 150);
    for (const std::int64_t count : {1, 3, 8}) {
      const PairedTrees pairs = tree_pairs(network, count);
      ASSERT_EQ(std::ssize(pairs.down), count);
      ASSERT_EQ(std::ssize(pairs.up), count);
      for (std::size_t p = 0; p < pairs.down.size(); ++p) {
        EXPECT_EQ(pairs.down[p].root, pairs.up[p].root);
        expect_spans(network, pairs.down[p], false);
        expect_spans(network, pairs.up[p], true);
      }
      const PairLoads loads = loads_of(network, pairs.down, pairs.up);
      for (const auto* way : {&loads.down, &loads.up})
        EXPECT_EQ(std::accumulate(way->begin(), way->end(), std::int64_t{0}), count * (network.ranks() - 1));
      if (HasFailure()) return;
    }
  }
}

/// What the busiest arc carries, over its capacity and the number of pairs.
double busiest(const Network& network, std::int64_t count) {
  const PairedTrees pairs = tree_pairs(network, count);
  const PairLoads loads = loads_of(network, pairs.down, pairs.up);
  double most = 0;
  for (std::size_t a = 0; a < loads.down.size(); ++a)
    most = std::max(most, static_cast<double>(loads.down[a] + loads.up[a]) /
                              static_cast<double>(network.arcs()[a].capacity * count));
  return most;
}

/// Vertex v leads to v * degree + 0, 1, ...: all arcs are busy all the time.
Network debruijn(Vertex vertices, Vertex degree) {
  std::vector<Arc> arcs;
  std::vector<Vertex> hosts;
  for (Vertex v = 0; v < vertices; ++v) {
    hosts.push_back(v);
    for (Vertex d = 0; d < degree; ++d)
      if (const Vertex to = (v * degree + d) % vertices; to != v) arcs.push_back({v, to, 1});
  }
  return {vertices, hosts, arcs};
}

TEST(PairedTrees, AreAsEvenAsCanBeWhereThatIsKnown) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < 4; ++v) arcs.push_back({v, (v + 1) % 4, 1});
  const Network ring(4, {0, 1, 2, 3}, arcs);
  EXPECT_DOUBLE_EQ(busiest(ring, 1), 2);    // the root is passed by neither way, all others by both
  EXPECT_DOUBLE_EQ(busiest(ring, 4), 1.5);  // each rank is the root of one
  // Ranks of all ones, and of all zeros, have one arc out and one in.
  for (const Vertex vertices : {4, 8, 16, 32}) EXPECT_DOUBLE_EQ(busiest(debruijn(vertices, 2), 2), 1) << vertices;
  // Fast one way, slow the other: of 2 words a pair, the slow arc takes one.
  EXPECT_DOUBLE_EQ(busiest(Network(2, {0, 1}, {{0, 1, 9}, {1, 0, 1}}), 1), 1);
}

TEST(PairedTrees, AreLookedForWithoutSwitchesOnSmallNetworks) {
  EXPECT_TRUE(small_enough_for_pairs(debruijn(16, 2)));
  EXPECT_FALSE(small_enough_for_pairs(debruijn(1024, 2)));
  EXPECT_FALSE(small_enough_for_pairs(Network(3, {0, 1}, {{0, 2, 1}, {2, 0, 1}, {1, 2, 1}, {2, 1, 1}})));
}

}  // namespace
}  // namespace quadrille::flow
