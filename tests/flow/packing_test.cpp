// Trees that are packed: as many as the smallest cut lets through, spanning, and never more of them on an arc than fit.
#include "flow/packing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "torus.hpp"

namespace quadrille::flow {
namespace {

/// Follows every tree from the root, and adds up what its copies take of each arc.
void expect_packed(const Network& network, Vertex root, std::int64_t count) {
  std::map<std::pair<Vertex, Vertex>, std::int64_t> load;
  std::int64_t copies = 0;
  std::int32_t depth = 0;
  for (const PackedTree& tree : packed_trees(network, root, count)) {
    copies += tree.copies;
    ASSERT_GT(tree.copies, 0);
    ASSERT_EQ(std::ssize(tree.parent), network.vertices());
    std::int32_t deepest = 0;
    for (Vertex v = 0; v < network.vertices(); ++v) {
      const Vertex parent = tree.parent[static_cast<std::size_t>(v)];
      ASSERT_EQ(parent < 0, v == root);
      if (parent >= 0) load[{parent, v}] += tree.copies;
      std::int32_t steps = 0;
      for (Vertex at = v; at != root; at = tree.parent[static_cast<std::size_t>(at)])
        ASSERT_LT(steps++, network.vertices()) << "a circle";
      deepest = std::max(deepest, steps);
    }
    EXPECT_EQ(tree.depth, deepest);
    EXPECT_GE(tree.depth, depth) << "the shallowest come first";
    depth = tree.depth;
  }
  EXPECT_EQ(copies, count);
  for (const auto& [ends, amount] : load) {
    const std::int64_t place = network.find(ends.first, ends.second);
    ASSERT_GE(place, 0) << "an arc that is not there";
    EXPECT_LE(amount, network.arcs()[static_cast<std::size_t>(place)].capacity);
  }
}

/// What leaves any set of vertices with the root in it, at least.
std::int64_t smallest_cut(const Network& network, Vertex root) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t set = 0; set + 1 < 1U << network.vertices(); ++set) {
    const auto inside = [&](Vertex v) { return (set >> v & 1) != 0; };
    if (!inside(root)) continue;
    std::int64_t out = 0;
    for (const Arc& arc : network.arcs())
      if (inside(arc.from) && !inside(arc.to)) out += arc.capacity;
    least = std::min(least, out);
  }
  return least;
}

Network random_arcs(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<Vertex>(random() % n); };
  const Vertex vertices = 2 + below(6);
  std::vector<Vertex> hosts(static_cast<std::size_t>(vertices));
  std::iota(hosts.begin(), hosts.end(), 0);
  std::vector<Arc> arcs;
  const auto most = static_cast<std::uint32_t>(random() % 2 == 0 ? 1 : 5);
  for (Vertex from = 0; from < vertices; ++from)
    for (Vertex to = 0; to < vertices; ++to)
      if (from != to && (to == (from + 1) % vertices || random() % 2 == 0)) arcs.push_back({from, to, 1 + below(most)});
  return {vertices, hosts, arcs};
}

TEST(Packing, FillsTheSmallestCutOfAnyNetwork) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 400; ++turn) {
    SCOPED_TRACE(turn);
    const Network network = random_arcs(random);
    const Vertex root = static_cast<Vertex>(random() % static_cast<std::uint32_t>(network.vertices()));
    const std::int64_t most = most_trees(network, root);
    ASSERT_EQ(most, smallest_cut(network, root));
    for (std::int64_t count = 1; count <= most; ++count) expect_packed(network, root, count);
  }
}

TEST(Packing, UsesAllLinksOfATorus) {
  for (const bool failed : {false, true}) {
    const Network network = torus_network(8, 8, failed);
    EXPECT_EQ(most_trees(network, 9), failed ? 3 : 4);
    expect_packed(network, 9, failed ? 3 : 4);
  }
}

TEST(Packing, CopiesATreeWhereLinksAreWide) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < 5; ++v) arcs.push_back({v, (v + 1) % 5, 6});
  const auto trees = packed_trees({5, {0, 1, 2, 3, 4}, arcs}, 2, 6);
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees.front().copies, 6);
  EXPECT_EQ(trees.front().depth, 4);
}

TEST(Packing, HasNoTreeWhereSomeVertexIsNotReached) {
  EXPECT_EQ(most_trees({3, {0, 1, 2}, {{0, 1, 1}, {1, 0, 1}, {2, 0, 1}}}, 0), 0);
}

}  // namespace
}  // namespace quadrille::flow
