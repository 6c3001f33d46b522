// Trees that take a link once, whichever way: as many as every set of vertices allows, and parties that prove it.
#include "flow/shared_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "torus.hpp"

namespace quadrille::flow {
namespace {

bool has(std::uint32_t set, Vertex v) { return (set >> v & 1) != 0; }

/// What enters a set of vertices.
std::int64_t entering(const std::vector<Arc>& arcs, std::uint32_t set) {
  std::int64_t in = 0;
  for (const Arc& arc : arcs)
    if (!has(set, arc.from) && has(set, arc.to)) in += arc.capacity;
  return in;
}

/// Every set of vertices with a rank gets all trees: by roots in it, or over arcs into it.
void expect_trees(const Network& network, std::int64_t trees, const TreesOnLinks& found) {
  ASSERT_TRUE(found.fit);
  EXPECT_EQ(std::accumulate(found.rooted.begin(), found.rooted.end(), std::int64_t{0}), trees);
  for (std::uint32_t set = 1; set < 1U << network.vertices(); ++set) {
    std::int64_t rooted = 0;
    bool ranks = false;
    for (Rank r = 0; r < network.ranks(); ++r)
      if (has(set, network.host(r))) rooted += found.rooted[static_cast<std::size_t>(r)], ranks = true;
    if (ranks) {
      ASSERT_GE(rooted + entering(found.down, set), trees);
    }
  }
  for (const Arc& arc : network.arcs()) {
    std::int64_t both = 0;
    for (const Arc& down : found.down)
      if ((down.from == arc.from && down.to == arc.to) || (down.from == arc.to && down.to == arc.from))
        both += down.capacity;
    EXPECT_LE(both, arc.capacity);
  }
  for (Vertex v = 0; v < network.vertices(); ++v)
    if (!network.is_host(v)) {
      const std::uint32_t all = (1U << network.vertices()) - 1, here = 1U << v;
      EXPECT_EQ(entering(found.down, here), entering(found.down, all & ~here)) << "switch " << v;
    }
}

/// The parties share no rank, leave none out, and have so few links between them.
void expect_parties(const Network& network, const SharedTrees& best) {
  std::int64_t between = 0;
  std::vector<int> seen(static_cast<std::size_t>(network.ranks()), 0);
  for (const std::vector<Vertex>& party : best.parties) {
    between += capacity_out(network, party);
    for (const Vertex v : party)
      if (network.is_host(v)) ++seen[static_cast<std::size_t>(network.rank(v))];
  }
  EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(network.ranks()), 1));
  EXPECT_EQ(best.time, Ratio(2 * (std::ssize(best.parties) - 1), between));
}

/// Joined, with links both ways of capacities from 1 to `most`, and so many switches at the end.
Network random_links(std::mt19937& random, Vertex vertices, Vertex switches, std::int64_t most) {
  std::vector<Arc> arcs;
  const auto join = [&](Vertex a, Vertex b) {
    const std::int64_t capacity = 1 + static_cast<std::int64_t>(random()) % most;
    arcs.push_back({a, b, capacity}), arcs.push_back({b, a, capacity});
  };
  for (Vertex v = 1; v < vertices; ++v) join(v, static_cast<Vertex>(random()) % v);
  for (Vertex a = 0; a < vertices; ++a)
    for (Vertex b = 0; b < a; ++b)
      if (random() % 3 == 0) join(a, b);
  std::vector<Vertex> hosts(static_cast<std::size_t>(vertices - switches));
  std::iota(hosts.begin(), hosts.end(), Vertex{0});
  return {vertices, hosts, arcs};
}

TEST(SharedTrees, FitExactlyAsLongAsSomePartiesAllow) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const Vertex vertices = 2 + static_cast<Vertex>(random()) % 7;
    const Vertex switches = std::min<Vertex>(vertices - 2, static_cast<Vertex>(random()) % 4);
    const Network network = random_links(random, vertices, switches, i % 2 == 0 ? 1 : 9);
    const SharedTrees best = shared_trees(network);
    expect_parties(network, best);
    const std::int64_t trees = narrow(2 * best.time.bottom());
    const Network links = scaled_links(network, Ratio(2 * best.time.top()));
    expect_trees(links, trees, trees_on_links(links, trees));
    EXPECT_FALSE(trees_on_links(links, trees + 1).fit);
    if (HasFailure()) return;
  }
}

TEST(SharedTrees, TakeTheFewestCapacitiesThatCarryThem) {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    const Network network = random_links(random, 6, i % 3, 5);
    const Ratio least = shared_trees(network).time;
    for (const std::int64_t trees : {1, 2, 3, 7}) {
      const Ratio factor = factor_for_links(network, least, trees);
      EXPECT_GE(factor, least * Ratio(trees));
      const Network links = scaled_links(network, factor);
      expect_trees(links, trees, trees_on_links(links, trees));
      EXPECT_FALSE(trees_on_links(scaled_links(network, factor * Ratio(999999, 1000000)), trees).fit);
    }
    if (HasFailure()) return;
  }
}

TEST(SharedTrees, TakeWhatIsKnownOfRegularNetworks) {
  EXPECT_EQ(shared_trees(torus_network(4, 4, false)).time, Ratio(15, 32));
  const auto path = [](Vertex n) {
    std::vector<Arc> arcs;
    for (Vertex v = 1; v < n; ++v) arcs.push_back({v - 1, v, 1}), arcs.push_back({v, v - 1, 1});
    std::vector<Vertex> hosts(static_cast<std::size_t>(n));
    std::iota(hosts.begin(), hosts.end(), Vertex{0});
    return Network(n, hosts, arcs);
  };
  EXPECT_EQ(shared_trees(path(5)).time, Ratio(1));
  // A switch does not copy: a word from each of four ranks to all others takes 2 x 3 / 4 of a link's time.
  const Network star(5, {0, 1, 2, 3},
                     {{0, 4, 1}, {4, 0, 1}, {1, 4, 1}, {4, 1, 1}, {2, 4, 1}, {4, 2, 1}, {3, 4, 1}, {4, 3, 1}});
  EXPECT_EQ(shared_trees(star).time, Ratio(3, 2));
}

TEST(SharedTrees, SayWhoCannotBeReached) {
  const Network apart(2, {0, 1}, {});
  EXPECT_THROW(shared_trees(apart), Error);
  const Network odd(3, {0, 1}, {{0, 2, 1}, {2, 0, 1}, {1, 2, 1}, {2, 1, 1}});
  EXPECT_THROW(trees_on_links(odd, 1), Error);
  EXPECT_FALSE(leads_both_ways(Network(2, {0, 1}, {{0, 1, 1}})));
  EXPECT_TRUE(leads_both_ways(odd));
}

}  // namespace
}  // namespace quadrille::flow
