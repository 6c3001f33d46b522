// Networks named after the hosts that ranks run on.
#include "topology/hosts/hosts.hpp"

#include <gtest/gtest.h>

#include "quadrille/placement.hpp"

namespace quadrille::topology::hosts_test {
namespace {

TEST(Hosts, ThatAreEqualAreAStarOfNodes) {
  const Hosts hosts({7, 7, 3, 3, 9, 9});
  EXPECT_EQ(hosts.words(), "3 hosts x 2 ranks");
  EXPECT_EQ(hosts.network(), "star:3*2");
  EXPECT_EQ(hosts.ranks_of(1), (std::vector<Rank>{2, 3}));
}

TEST(Hosts, OfWhichNoneIsSharedAreACrossbar) {
  EXPECT_EQ(Hosts({5, 6, 7}).network(), "crossbar:3");
  EXPECT_EQ(Hosts({5, 6, 7}).star(), "star:3*1");
  EXPECT_EQ(Hosts({5, 5, 5}).network(), "crossbar:3") << "one host: nothing is between";
  EXPECT_EQ(Hosts({5, 5, 5}).words(), "1 host x 3 ranks");
  EXPECT_EQ(Hosts({5}).words(), "1 host x 1 rank");
  EXPECT_FALSE(Hosts().shared());
}

/// Whatever hosts ranks are on, the network has as many ranks, and exactly those of a host meet in one memory.
TEST(Hosts, MakeNetworksInWhichTheirRanksShareAMemory) {
  for (const std::vector<std::int64_t>& of_rank : std::vector<std::vector<std::int64_t>>{{0, 1, 0, 1},
                                                                                         {0, 0, 1},
                                                                                         {0, 1, 1},
                                                                                         {0, 1, 2, 0, 1, 2},
                                                                                         {2, 0, 1, 0, 2, 2, 1},
                                                                                         {0, 0, 0, 1, 1, 2},
                                                                                         {0, 1, 0}}) {
    const Hosts hosts(of_rank);
    const std::string text = hosts.network();
    SCOPED_TRACE(text);
    const Placement placement = parse_placement(text);
    const Topology& t = *placement.topology;
    EXPECT_EQ(placement.text(), text) << "wisdom keeps no other text";
    ASSERT_EQ(t.ranks(), hosts.ranks());
    EXPECT_EQ(t.nodes(), hosts.ranks()) << "every node of a schedule is a rank";
    for (Rank a = 0; a < t.ranks(); ++a)
      for (Rank b = 0; b < t.ranks(); ++b) {
        std::vector<Link> path;
        t.route(placement.node(a), placement.node(b), path);
        bool leaves = false;
        for (const Link link : path)
          leaves = leaves || t.kinds()[static_cast<std::size_t>(t.facts(link).kind)] == "network";
        EXPECT_EQ(leaves, hosts.host(a) != hosts.host(b)) << a << " to " << b;
      }
  }
}

TEST(Hosts, NameThePlacesOfRanksThatAreNotInOrder) {
  EXPECT_EQ(Hosts({0, 1, 0, 1}).network(), "star:2*2@0,2,1,3");
  EXPECT_EQ(Hosts({0, 0, 1}).network(), "star:2*2@0-2");
  EXPECT_EQ(Hosts({0, 1, 1}).network(), "star:2*2@0,2-3");
  EXPECT_EQ(Hosts({0, 1, 0}).network(), "star:2*2@0-2@0,2,1");
  EXPECT_EQ(Hosts({0, 0, 1}).words(), "2 hosts with 1 to 2 ranks");
}

TEST(Hosts, OfSomeRanksAreThoseThatTheseAreOn) {
  const Hosts all({0, 0, 1, 1, 2, 2});
  EXPECT_EQ(all.of({0, 2, 4}).network(), "crossbar:3");
  EXPECT_EQ(all.of({5, 4, 1, 0}).network(), "star:2*2");
  EXPECT_EQ(all.of({2, 3}).network(), "crossbar:2");
  EXPECT_EQ(all.of({0, 2, 1}).network(), "star:2*2@0-2@0,2,1");
  EXPECT_EQ(all.of({2, 4, 3, 5}).network(), "star:2*2@0,2,1,3");
}

}  // namespace
}  // namespace quadrille::topology::hosts_test
