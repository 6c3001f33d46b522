// Networks found in synthetic times of pairs and of patterns of messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "quadrille/tune.hpp"

namespace quadrille::revealed_test {
namespace {

/// All pairs of a network, 20 us + 10 us a link, up to 2 % longer.
std::vector<PairSample> pairs_of(const Topology& t) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> noise(1, 1.02);
  std::vector<PairSample> pairs;
  for (Rank a = 0; a < t.ranks(); ++a)
    for (Rank b = a + 1; b < t.ranks(); ++b)
      pairs.push_back({a, b, (20e-6 + 10e-6 * t.distance(a, b)) * noise(random), 1e-3 * noise(random)});
  return pairs;
}

TEST(Tune, PairsRevealTheNetwork) {
  for (const char* name : {"ring:8", "hypercube:3", "hypercube:4", "torus:3x4", "mesh:3x4", "mesh:6", "crossbar:8"}) {
    const TopologyPtr t = parse_topology(name);
    const Revealed found = revealed(t->ranks(), pairs_of(*t));
    EXPECT_TRUE(found.groups.empty()) << name;
    EXPECT_EQ(found.topology, name) << found.text;
  }
}

/// Ranks of one parity share a node: 1 us there, 30 us between nodes.
TEST(Tune, PairsRevealNodes) {
  std::vector<PairSample> pairs;
  for (Rank a = 0; a < 6; ++a)
    for (Rank b = a + 1; b < 6; ++b) pairs.push_back({a, b, (b - a) % 2 == 0 ? 1e-6 : 30e-6, 1e-4});
  const Revealed found = revealed(6, pairs);
  EXPECT_EQ(found.topology, "crossbar:6");
  EXPECT_EQ(found.groups, (std::vector<std::vector<Rank>>{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_NE(found.text.find("between nodes"), std::string::npos);
}

/// Patterns of messages at once on a network, 1 ms for each message on the busiest link and up to 3 % more.
TEST(Tune, PatternsRevealTheNetworkWhereDistanceCostsNothing) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(1, 1.03);
  for (const char* name : {"ring:8", "ring:5", "hypercube:3", "hypercube:4", "torus:4x4", "torus:3x4", "mesh:3x4",
                           "mesh:6", "mesh:8", "crossbar:8", "xgft:2;4,2;1,1", "xgft:2;4,4;1,1;1,2", "xgft:2;2,8;1,1",
                           "xgft:2;6,2;1,1;1,2", "xgft:2;8,8;1,1;1,4"}) {
    const TopologyPtr t = parse_topology(name);
    std::vector<PatternSample> samples;
    for (const std::vector<Rank>& to : patterns(t->ranks())) {
      std::vector<double> load(static_cast<std::size_t>(t->links()), 0);
      for (Rank r = 0; r < t->ranks(); ++r) {
        std::vector<Link> path;
        t->route(r, to[static_cast<std::size_t>(r)], path);
        for (const Link link : path)
          load[static_cast<std::size_t>(link)] += 1.0 / static_cast<double>(t->facts(link).width);
      }
      samples.push_back({to, 1e-3 * *std::max_element(load.begin(), load.end()) * noise(random)});
    }
    const Revealed found = revealed_at_once(t->ranks(), samples);
    EXPECT_EQ(found.topology, name) << found.text;
  }
  EXPECT_EQ(revealed_at_once(4, {}).topology, "crossbar:4");
  for (const Rank ranks : {2, 3, 6, 17})
    for (std::vector<Rank> to : patterns(ranks)) {
      std::sort(to.begin(), to.end());
      for (Rank r = 0; r < ranks; ++r) EXPECT_EQ(to[static_cast<std::size_t>(r)], r) << "each to another";
    }
}

/// Nodes that are there in one pass and not in the other were a busy moment; what both show is there.
TEST(Tune, WhatIsSeenOnceIsNotRevealed) {
  const TopologyPtr ring = parse_topology("ring:6");
  const std::vector<PairSample> far = pairs_of(*ring);
  std::vector<PairSample> alike = far;
  for (PairSample& p : alike) p.small = 30e-6;
  EXPECT_EQ(revealed(6, far, far).topology, "ring:6");
  const Revealed differs = revealed(6, far, alike);
  EXPECT_EQ(differs.topology, "crossbar:6");
  EXPECT_NE(differs.text.find("looked like ring:6, then like crossbar:6"), std::string::npos) << differs.text;
  EXPECT_EQ(revealed(6, alike, alike).topology, "crossbar:6");
  const Revealed once = revealed(6, far, {far.front()});
  EXPECT_EQ(once.topology, "ring:6");
  EXPECT_NE(once.text.find("seen once"), std::string::npos) << once.text;
  EXPECT_DOUBLE_EQ(least(far, alike).front().small, std::min(far.front().small, 30e-6));
}

TEST(Tune, FewPairsRevealNothing) {
  EXPECT_EQ(revealed(2, {{0, 1, 1e-6, 1e-5}}).topology, "crossbar:2");
  EXPECT_EQ(revealed(4, {}).topology, "crossbar:4");
}

}  // namespace
}  // namespace quadrille::revealed_test
