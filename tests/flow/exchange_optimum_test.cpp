// Brackets of complete exchanges: known optima, and both ends against each other on random networks.
#include "flow/exchange_optimum.hpp"

#include <gtest/gtest.h>

#include <random>

#include "flow/breadth_first.hpp"
#include "flow/shortest_trees.hpp"
#include "flow/simple_fraction.hpp"
#include "flow/torus.hpp"

namespace quadrille::flow {
namespace {

Network random_exchange_network(std::mt19937& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  const Vertex vertices = 3 + below(10);
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < vertices; ++v) arcs.push_back({v, (v + 1) % vertices, 1 + below(20)});
  for (std::int64_t more = below(3 * vertices); more > 0; --more) {
    const Vertex from = below(vertices), to = below(vertices);
    if (from != to) arcs.push_back({from, to, 1 + below(20)});
  }
  std::vector<Vertex> hosts;
  for (Vertex v = 0; v < vertices; ++v)
    if (below(4) > 0 || v < 2) hosts.push_back(v);
  return {vertices, hosts, arcs};
}

TEST(ExchangeOptimum, IsExactWithAFailedLink) {
  const Network network = torus_network(8, 8, true);
  ExchangeBracket bracket = exchange_bracket(network);
  ASSERT_FALSE(bracket.exact());
  close_by_trees(network, bracket);
  EXPECT_EQ(bracket.lower.text(), "1024/15");
  EXPECT_EQ(exchange_bound(network, bracket.lengths), bracket.lower);
  EXPECT_LE(bracket.upper.value(), bracket.lower.value() * (1 + 1e-9));
}

TEST(ExchangeOptimum, EndsMeetOnRandomNetworks) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const Network network = random_exchange_network(random);
    const ExchangeBracket bracket = exchange_within(network, {.gap = 0, .visits = 0});
    EXPECT_EQ(exchange_bound(network, bracket.lengths), bracket.lower) << i;
    EXPECT_LE(bracket.lower, bracket.upper) << i;
    EXPECT_LE(bracket.upper.value(), bracket.lower.value() * (1 + 1e-9)) << i;
  }
}

TEST(ExchangeWeights, ComeNearTheOptimumFromBothSides) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    const Network network = random_exchange_network(random);
    const ExchangeBracket best = exchange_within(network, {.gap = 0, .visits = 0});
    ExchangeBracket bracket = exchange_bracket(network);
    narrow_by_weights(network, {}, bracket);
    EXPECT_LE(bracket.lower, best.lower) << i;
    EXPECT_LE(best.lower, bracket.upper) << i;
    EXPECT_LE(bracket.upper.value(), bracket.lower.value() * 1.0101) << i;
  }
}

TEST(ExchangeWeights, EndWhereThereIsNoTimeForThem) {
  const Network network = torus_network(8, 8, true);
  ExchangeBracket bracket = exchange_bracket(network);
  const Ratio lower = bracket.lower;
  narrow_by_weights(network, {.gap = 0.01, .visits = 1000}, bracket);
  EXPECT_EQ(bracket.lower, lower);
}

TEST(SimpleFraction, IsTheOneThatWasMeant) {
  for (std::int64_t bottom = 1; bottom < 300; ++bottom)
    for (std::int64_t top = 0; top < bottom; top += 7)
      EXPECT_EQ(simple_fraction(static_cast<double>(top) / static_cast<double>(bottom)), Ratio(top, bottom));
}

TEST(ShortestTrees, CarryAWordForEveryHostBeyond) {
  const Network path(4, {0, 2, 3}, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}});
  ShortestTrees trees(path);
  EXPECT_EQ(trees.grow(0, std::vector<double>(path.arcs().size(), 1)), 2 + 3);
  std::int64_t words = 0;
  for (const ShortestTrees::Load& load : trees.loads()) words += load.words;
  EXPECT_EQ(words, 2 + 2 + 1);
}

/// By hand: a ring of four, where the far block comes in halves; a path, whose ends wait for all.
TEST(BreadthFirst, TakesWhatTheBusiestLinkTakes) {
  const Network path(3, {0, 1, 2}, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}});
  EXPECT_EQ(breadth_first_allgather(path).time().text(), "2");
  const Network four(4, {0, 1, 2, 3},
                     {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}, {3, 0, 1}, {0, 3, 1}});
  EXPECT_EQ(breadth_first_allgather(four).time().text(), "3/2");
  EXPECT_THROW(breadth_first_allgather(Network(3, {0, 2}, {{0, 1, 1}, {1, 2, 1}})), Error);
}

/// A pair that wants twice as much takes twice the time; two that want nothing of each other need no way.
TEST(ExchangeOptimum, IsOfWhatPairsWant) {
  const Network ring(4, {0, 1, 2, 3},
                     {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {1, 0, 1}, {2, 1, 1}, {3, 2, 1}, {0, 3, 1}});
  Wants wants{Words(16, 0)};
  wants.words[2] = 6;  // of rank 0 for rank 2, both ways round
  EXPECT_EQ(exchange_within(ring, {}, wants).lower.text(), "3");
  wants.words[2] = 12;
  EXPECT_EQ(exchange_within(ring, {}, wants).lower.text(), "6");
  wants.words[1] = 2;  // of rank 0 for rank 1
  EXPECT_EQ(exchange_within(ring, {}, wants).lower.text(), "7");
  const Network one_way(2, {0, 1}, {{0, 1, 3}});
  EXPECT_EQ(exchange_within(one_way, {}, Wants{{0, 6, 0, 0}}).lower.text(), "2");
  EXPECT_THROW(exchange_within(one_way, {}, Wants{{0, 6, 1, 0}}), Error);
}

/// Where all are joined and each has something for the next, words that go by way of others take two links each.
TEST(ExchangeBracket, WeighsStraightLinksTwice) {
  for (Rank ranks : {3, 4, 7}) {
    std::vector<Vertex> hosts;
    std::vector<Arc> arcs;
    Wants next{Words(static_cast<std::size_t>(ranks * ranks), 0)};
    for (Vertex a = 0; a < ranks; ++a) {
      hosts.push_back(a);
      next.words[static_cast<std::size_t>(a * ranks + (a + 1) % ranks)] = ranks;
      for (Vertex b = 0; b < ranks; ++b)
        if (a != b) arcs.push_back({a, b, 1});
    }
    const Network all(ranks, hosts, arcs);
    EXPECT_EQ(exchange_bracket(all, next).lower.text(), "2") << ranks;
    const ExchangeBracket bracket = exchange_within(all, {}, next);
    EXPECT_EQ(bracket.lower.text(), "2") << ranks;
    EXPECT_EQ(bracket.upper.text(), "2") << ranks;
  }
}

TEST(ExchangeOptimum, OfOneWordEachIsThatOfACompleteExchange) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    const Network network = random_exchange_network(random);
    const auto ranks = static_cast<std::size_t>(network.ranks());
    Wants each{Words(ranks * ranks, 1)}, some{Words(ranks * ranks, 0)};
    for (std::size_t r = 0; r < ranks; ++r) each.words[r * ranks + r] = 0;
    const ExchangeBracket plain = exchange_within(network, {}), same = exchange_within(network, {}, each);
    EXPECT_LE(plain.lower, same.upper);
    EXPECT_LE(same.lower, plain.upper);
    for (std::size_t p = 0; p < some.words.size(); ++p)
      if (p / ranks != p % ranks) some.words[p] = static_cast<std::int64_t>(random() % 5);
    const ExchangeBracket bracket = exchange_within(network, {}, some);
    EXPECT_LE(bracket.lower, bracket.upper);
    EXPECT_LE(bracket.upper.value(), bracket.lower.value() * 1.02 + 1e-12);
    EXPECT_EQ(exchange_bound(network, bracket.lengths, some), bracket.lower);
  }
}

}  // namespace
}  // namespace quadrille::flow
