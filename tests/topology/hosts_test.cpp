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

TEST(Hosts, KeepWhatIsBetweenThemAndSomeAreAJobThere) {
  Hosts all({3, 1, 2, 0});
  all.set_between("ring:4");
  EXPECT_EQ(all.network(), "ring:4");
  EXPECT_EQ(all.words(), "4 hosts x 1 rank, between them ring:4");
  EXPECT_EQ(all.of({0, 1, 2, 3}).network(), "ring:4");
  EXPECT_EQ(all.of({1, 2, 3, 0}).network(), "ring:4@1,2,3,0");
  EXPECT_EQ(all.of({0, 1, 3}).network(), "ring:4@0-1,3");
  EXPECT_EQ(all.of({3, 1}).network(), "ring:4@1,3@1,0");
  EXPECT_EQ(all.of({2}).network(), "crossbar:1");

  Hosts pairs({0, 0, 1, 1, 2, 2, 3, 3});
  pairs.set_between("xgft:2;2,2;1,1");
  EXPECT_EQ(pairs.network(), "xgft:2;2,2;1,1*2");
  EXPECT_EQ(pairs.of({6, 4, 2, 0}).network(), "xgft:2;2,2;1,1@3,2,1,0");
  EXPECT_EQ(pairs.of({0, 1, 2, 4, 6}).network(), "xgft:2;2,2;1,1*2@0-2,4,6");
  EXPECT_EQ(pairs.of({0, 1, 2, 3}).network(), "xgft:2;2,2;1,1@0-1*2");
  EXPECT_EQ(pairs.of({2, 3}).network(), "crossbar:2");
  for (const std::vector<int>& some : std::vector<std::vector<int>>{
           {7, 5, 3, 1, 0, 2}, {0, 2, 4, 6}, {6, 7, 0, 2, 4}, {6, 7, 2, 3}, {6, 0}, {4, 7, 5, 0}}) {
    const Hosts theirs = pairs.of(some);
    const Placement placement = parse_placement(theirs.network());
    EXPECT_EQ(placement.text(), theirs.network());
    ASSERT_EQ(placement.topology->ranks(), theirs.ranks());
    const TopologyPtr between = parse_topology(pairs.between());
    for (Rank a = 0; a < theirs.ranks(); ++a)
      for (Rank b = 0; b < theirs.ranks(); ++b) {
        const int network = between->distance(pairs.host(some[static_cast<std::size_t>(a)]),
                                              pairs.host(some[static_cast<std::size_t>(b)]));
        const int here = placement.topology->distance(placement.node(a), placement.node(b));
        EXPECT_EQ(here - network, a == b || !theirs.shared() ? 0 : 2) << theirs.network() << " " << a << " to " << b;
      }
  }
}

}  // namespace
}  // namespace quadrille::topology::hosts_test
