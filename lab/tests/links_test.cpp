// What a validation measures between whom, and the constants of kinds of links that it makes of that.
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/base.hpp"
#include "validate/figures.hpp"

namespace quadrille::validate::links_test {
namespace {

TEST(ValidateLinks, NeighboursAreMutual) {
  for (const char* network :
       {"ring:2", "ring:5", "torus:3x3", "crossbar:8", "full:3", "star:8", "star:4*2", "torus:2x2*2", "xgft:2;4,2;1,1",
        "kautz:2,2", "petersen", "mesh:1x5", "torus:3x3@0,4,8", "full:4*3"}) {
    const TopologyPtr t = parse_topology(network);
    for (Rank r = 0; r < t->ranks(); ++r)
      for (const Rank other : neighbours_of(*t, r)) {
        const std::vector<Rank> back = neighbours_of(*t, other);
        EXPECT_NE(other, r) << network;
        EXPECT_EQ(std::count(back.begin(), back.end(), r), 1) << network << ": " << r << " and " << other;
      }
    EXPECT_FALSE(neighbours_of(*t, 0).empty()) << network;
  }
}

TEST(ValidateLinks, NeighboursByHand) {
  EXPECT_EQ(neighbours_of(*parse_topology("ring:8"), 0), (std::vector<Rank>{1, 7}));
  EXPECT_EQ(neighbours_of(*parse_topology("crossbar:8"), 3), (std::vector<Rank>{4, 2})) << "all are a wire away";
  EXPECT_EQ(neighbours_of(*parse_topology("torus:2x2*2"), 0), (std::vector<Rank>{2, 4})) << "nodes 1 and 2, not 3";
  EXPECT_EQ(neighbours_of(*parse_topology("torus:2x2*2"), 1), (std::vector<Rank>{}));
  EXPECT_EQ(neighbours_of(*parse_topology("star:4*2"), 6), (std::vector<Rank>{0, 4}));
  EXPECT_THROW(neighbours_of(*parse_topology("star:1*8"), 0), Error);
}

Machine fitted() {
  Machine machine;
  machine.alpha = 50e-6, machine.per_hop = 5e-6, machine.beta = 4e-7;
  return machine;
}

/// Two ranks of star:4*2 are 4 links apart, of which the fit took one off alpha: 50 - 3 * 5 us. A memory of 10 us and
/// 1 ns/B: its two links are hops, too.
TEST(ValidateLinks, MemoryIsAKindOfItsOwn) {
  const Machine machine =
      on_links(fitted(), *parse_topology("star:4*2"), {{64, 20e-6}, {65536, 85e-6}, {262144, 20e-6 + 262080e-9}}, {});
  EXPECT_NEAR(machine.alpha, 35e-6, 1e-12);
  EXPECT_EQ(machine.beta, 4e-7);
  ASSERT_EQ(machine.links.size(), 1u);
  EXPECT_EQ(machine.links[0].kind, "memory");
  EXPECT_NEAR(machine.links[0].alpha, 10e-6, 1e-12);
  EXPECT_NEAR(machine.links[0].beta, 1e-9, 1e-15);
}

/// Hosts of the tree have links twice as fast as its others; ranks 0 and 1 are on one leaf, so that what was measured
/// between them is half of what width 1 takes, and links of level1 take all of it.
TEST(ValidateLinks, KindsHaveTheirSpeeds) {
  const Machine machine = on_links(fitted(), *parse_topology("xgft:2;4,2;1,1"), {}, {parse_speed("host=2")});
  EXPECT_NEAR(machine.beta, 8e-7, 1e-15);
  ASSERT_EQ(machine.links.size(), 1u);
  EXPECT_EQ(machine.links[0].kind, "host");
  EXPECT_NEAR(machine.links[0].beta, 4e-7, 1e-15);
  EXPECT_NEAR(on_links(fitted(), *parse_topology("star:4*2/2"), {{64, 1e-6}, {65536, 2e-6}, {262144, 3e-6}}, {}).beta,
              8e-7, 1e-15)
      << "two rails";
}

TEST(ValidateLinks, SpeedsAreRead) {
  EXPECT_EQ(parse_speed("level1=2.5"), (std::pair<std::string, double>("level1", 2.5)));
  for (const char* wrong : {"", "level1", "=2", "level1=", "level1=0", "level1=-1", "level1=nan", "level1=1e9"})
    EXPECT_THROW(parse_speed(wrong), Error) << wrong;
}

/// A network with commas in its name is read back, and one without is written as ever.
TEST(ValidateLinks, NetworksWithCommasAreQuoted) {
  Row row{.network = "xgft:2;4,2;1,1",
          .mpi = "openmpi",
          .collective = "bcast",
          .bytes = 64,
          .way = "bcast_chain:packets=3",
          .predicted = 1,
          .measured = 2,
          .least = 1,
          .most = 3,
          .repetitions = 4,
          .chosen = true};
  EXPECT_EQ(parse_csv(to_csv(row)).network, row.network);
  EXPECT_EQ(parse_csv(to_csv(row)).way, row.way);
  EXPECT_EQ(to_csv(row).substr(0, 25), "\"xgft:2;4,2;1,1\",openmpi,");
  row.network = "ring:8";
  EXPECT_EQ(to_csv(row).substr(0, 15), "ring:8,openmpi,");
  for (const char* wrong : {"\"", "\"\"", "\"a,b\"", "\"a,openmpi,bcast,64,\"way\",1,1,1,1,1,1", "\"a\"b\"c\""})
    EXPECT_THROW(parse_csv(wrong), Error) << wrong;
}

}  // namespace
}  // namespace quadrille::validate::links_test
