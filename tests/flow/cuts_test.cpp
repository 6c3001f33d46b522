// Times by cuts on random networks against all cuts one by one, and distances and exchanges that are known.
#include "flow/cuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "flow/exchange.hpp"
#include "flow/trees.hpp"

namespace quadrille::flow {
namespace {

/// Every vertex reaches every other: a circle, and arcs at random. Hosts are some of the vertices, in any order.
Network random_network(std::mt19937& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  const Vertex vertices = 3 + below(10);
  const auto capacity = [&] { return 1 + below(150); };
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < vertices; ++v) arcs.push_back({v, (v + 1) % vertices, capacity()});
  for (std::int64_t more = below(3 * vertices); more > 0; --more) {
    const Vertex from = below(vertices), to = below(vertices);
    if (from != to) arcs.push_back({from, to, capacity()});
    if (from != to && below(2) == 0) arcs.push_back({to, from, capacity()});
  }
  std::vector<Vertex> hosts;
  for (Vertex v = 0; v < vertices; ++v)
    if (below(4) > 0 || v < 2) hosts.push_back(v);
  std::shuffle(hosts.begin(), hosts.end(), random);
  return {vertices, hosts, arcs};
}

std::vector<char> subset(const Network& network, std::uint64_t bits) {
  std::vector<char> inside;
  for (Vertex v = 0; v < network.vertices(); ++v) inside.push_back((bits >> v & 1) != 0);
  return inside;
}

/// The best of demand(inside) / capacity that leaves, over all sides.
template <class Demand>
Ratio by_all_cuts(const Network& network, const Demand& demand) {
  Ratio best = 0;
  for (std::uint64_t bits = 1; bits + 1 < std::uint64_t{1} << network.vertices(); ++bits) {
    const std::vector<char> inside = subset(network, bits);
    const std::int64_t words = demand(inside);
    std::int64_t out = 0;
    for (const Arc& arc : network.arcs())
      if (inside[static_cast<std::size_t>(arc.from)] && !inside[static_cast<std::size_t>(arc.to)]) out += arc.capacity;
    if (words > 0) best = std::max(best, Ratio(words, out));
  }
  return best;
}

std::int64_t sum(const Network& network, const Words& words, const std::vector<char>& inside, bool within) {
  std::int64_t sum = 0;
  for (Rank r = 0; r < network.ranks(); ++r)
    if ((inside[static_cast<std::size_t>(network.host(r))] != 0) == within) sum += words[static_cast<std::size_t>(r)];
  return sum;
}

Ratio spread_by_all_cuts(const Network& network, const Words& has) {
  return by_all_cuts(network, [&](const std::vector<char>& inside) {
    const Words ones = one_each(network);
    return sum(network, ones, inside, false) > 0 ? sum(network, has, inside, true) : 0;
  });
}

TEST(Cuts, EqualTheBestOfAllCutsOnRandomNetworks) {
  std::mt19937 random(1);
  int improved = 0;  // by a cut that is not one rank's links: the iteration was needed
  for (int i = 0; i < 400; ++i) {
    const Network network = random_network(random);
    Words has, wants;
    for (Rank r = 0; r < network.ranks(); ++r) {
      has.push_back(static_cast<std::int64_t>(random() % 5));
      wants.push_back(static_cast<std::int64_t>(random() % 3));
    }
    const auto root = static_cast<Rank>(random() % static_cast<std::uint64_t>(network.ranks()));
    const Cut all = allgather(network);
    check_spread(network, one_each(network), all);
    improved += all.side.size() > 1 && static_cast<Vertex>(all.side.size()) + 1 < network.vertices();
    ASSERT_EQ(all.time(), spread_by_all_cuts(network, one_each(network))) << i;
    ASSERT_EQ(spread(network, has).time(), spread_by_all_cuts(network, has)) << i;
    Words one(has.size(), 0);
    one[static_cast<std::size_t>(root)] = 1;
    ASSERT_EQ(bcast(network, root).time(), spread_by_all_cuts(network, one)) << i;
    const auto with_root = [&](const std::vector<char>& inside, bool within) {
      return (inside[static_cast<std::size_t>(network.host(root))] != 0) == within;
    };
    ASSERT_EQ(scatter(network, root, wants).time(),
              by_all_cuts(network,
                          [&](const std::vector<char>& inside) {
                            return with_root(inside, true) ? sum(network, wants, inside, false) : 0;
                          }))
        << i;
    ASSERT_EQ(gather(network, root, has).time(),
              by_all_cuts(network,
                          [&](const std::vector<char>& inside) {
                            return with_root(inside, false) ? sum(network, has, inside, true) : 0;
                          }))
        << i;
  }
  EXPECT_GT(improved, 40);
}

TEST(Cuts, WholeTreesNeverBeatTheCutAndReachItWithEnoughOfThem) {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    const Network network = random_network(random);
    const Ratio time = allgather(network).time();
    for (const std::int64_t trees : {1, 2, 5}) ASSERT_GE(allgather_by_trees(network, trees), time) << i;
    ASSERT_EQ(allgather_by_trees(network, narrow(time.bottom())), time) << i;
  }
}

TEST(Cuts, SayWhichRankCannotReachWhich) {
  const Network network(3, {2, 0, 1}, {{2, 0, 1}, {0, 2, 1}, {0, 1, 1}});  // nothing leaves vertex 1, which is rank 2
  const auto says = [](const auto& action, const std::string& expected) {
    try {
      action();
      ADD_FAILURE() << "expected: " << expected;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
    }
  };
  says([&] { allgather(network); }, "from rank 2 to rank 0");
  says([&] { gather(network, 1, one_each(network)); }, "from rank 2 to rank 1");
  says([&] { scatter(network, 2, one_each(network)); }, "from rank 2 to rank 0");
  EXPECT_EQ(bcast(network, 0).time(), Ratio(1));
}

TEST(Cuts, AWrongCertificateIsNotPassedOn) {
  const Network ring(3, {0, 1, 2}, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}});
  EXPECT_THROW(check_spread(ring, one_each(ring), {{0, 1}, 3, 1}), Error);
  EXPECT_THROW(check_spread(ring, one_each(ring), {{0, 1}, 2, 2}), Error);
  EXPECT_THROW(check_spread(ring, one_each(ring), {{0, 1, 2}, 3, 1}), Error);  // nobody outside
  EXPECT_THROW(check_scatter(ring, 0, one_each(ring), {{1}, 2, 1}), Error);    // the root is outside
  EXPECT_NO_THROW(check_spread(ring, one_each(ring), {{0, 1}, 2, 1}));
}

/// Two boxes of four hosts on a switch each, and one link between the switches.
Network two_boxes() {
  std::vector<Arc> arcs;
  for (Vertex h = 0; h < 8; ++h) {
    arcs.push_back({h, 8 + h / 4, 6});
    arcs.push_back({8 + h / 4, h, 6});
  }
  arcs.push_back({8, 9, 3});
  arcs.push_back({9, 8, 3});
  return {10, {0, 1, 2, 3, 4, 5, 6, 7}, arcs};
}

TEST(CompleteExchange, TheLinkBetweenTwoBoxesDecides) {
  const ExchangeBracket bracket = exchange_bracket(two_boxes());
  EXPECT_EQ(bracket.lower, Ratio(16, 3));  // four ranks send to four others
  EXPECT_TRUE(bracket.exact());
  EXPECT_EQ(exchange_bound(two_boxes(), bracket.lengths), bracket.lower);
  EXPECT_EQ(allgather(two_boxes()).time(), Ratio(4, 3));
  EXPECT_EQ(extent_in_hops(two_boxes()).longest, 1);
  EXPECT_EQ(extent_in_links(two_boxes()).longest, 3);
}

TEST(CompleteExchange, LowerIsNeverAboveUpperOnRandomNetworks) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const Network network = random_network(random);
    const ExchangeBracket bracket = exchange_bracket(network);
    ASSERT_LE(bracket.lower, bracket.upper) << i;
    ASSERT_GE(bracket.lower, allgather(network).time()) << i;  // a word for each other is no less than one for all
    ASSERT_EQ(exchange_bound(network, bracket.lengths), bracket.lower) << i;
  }
}

TEST(Ratio, ComparesWhatItsProductsCannotHold) {
  const Wide large = Wide{1} << 120;
  EXPECT_LT(Ratio(large - 1, large), Ratio(large, large + 1));
  EXPECT_LT(Ratio(7, 3), Ratio(12, 5));
  EXPECT_GT(Ratio(1, 2), Ratio(-1, 2));
  EXPECT_EQ(Ratio(4, -6).text(), "-2/3");
  EXPECT_EQ(parse_ratio("14/4").text(), "7/2");
  EXPECT_THROW(parse_ratio("1/0"), Error);
  EXPECT_THROW(parse_ratio("half"), Error);
  EXPECT_THROW(Ratio(1, large) * Ratio(1, large), Error);
  EXPECT_EQ((Ratio(-1, 2)).floor(), -1);
  EXPECT_EQ((Ratio(-1, 2)).ceil(), 0);
}

}  // namespace
}  // namespace quadrille::flow
