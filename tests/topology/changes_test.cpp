// Failed links, jobs, hosts that are gone and routes, as text behind any network: what they become, what is refused.
#include <gtest/gtest.h>

#include <thread>

#include "quadrille/topology.hpp"
#include "route.hpp"

namespace quadrille::changes_test {
namespace {

using testing::route;

std::string refusal(const std::string& text) {
  try {
    parse_topology(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::argument) << text;
    return error.what();
  }
  return "accepted";
}

std::string way(const std::string& text, Rank from, Rank to) {
  const TopologyPtr t = parse_topology(text);
  std::string all;
  for (const Link link : route(*t, from, to)) all += t->name(link) + " ";
  return all;
}

TEST(Changes, AreTextThatParsesBack) {
  for (const char* text :
       {"torus:4x4!0-1", "torus:4x4!0-1,0-4", "fattree:4!16-24", "fattree:4!n24", "torus:4x4@0,1,4,5,10",
        "torus:4x4@0-3,8-11", "torus:4x4~6,7,15", "hypercube:3!0-1@0,3,5", "mesh:4x4~5,10!0-1:routes=updown",
        "fattree:4!16-24:routes=shortest", "fattree:4:routes=chosen@0-3", "dragonfly:2,2,1@11,0,5", "crossbar:4!0-1",
        "petersen!0-1", "xgft:2;2,2;1,2~3", "star:3*2@0-2,4-5", "torus:2x2*3@11,0,5"}) {
    const TopologyPtr t = parse_topology(text);
    EXPECT_EQ(t->text(), text);
    EXPECT_TRUE(t->structure().routed) << text;
    EXPECT_EQ(parse_topology(t->text())->text(), text);
  }
  EXPECT_EQ(parse_topology("torus:4x4 ! 0-1")->text(), "torus:4x4!0-1");
  EXPECT_EQ(parse_topology("fattree:4:routes=dmodk")->text(), "fattree:4") << "it has these";
}

TEST(Changes, LeadAroundWhatHasFailed) {
  EXPECT_EQ(way("torus:4x4!0-1", 0, 1), "0->3 3->2 2->1 ") << "the lowest of the nearest, from either side";
  EXPECT_EQ(way("fattree:4!16-24", 0, 2), "0->16 16->25 25->17 17->2 ");
  EXPECT_EQ(way("fattree:4!n24", 0, 2), "0->16 16->25 25->17 17->2 ");
  EXPECT_EQ(parse_topology("fattree:4!n24")->vertices(), 35);
  EXPECT_EQ(parse_topology("ring:5~2")->ranks(), 4);
  EXPECT_EQ(way("ring:5~2", 1, 2), "1->0 0->4 4->3 ") << "ranks move up, names stay";
}

TEST(Changes, KeepRoutesOfANetworkThatAJobIsOn) {
  EXPECT_EQ(way("torus:4x4@10,0", 1, 0), "0->1 1->2 2->6 6->10 ") << "the torus' own";
  EXPECT_EQ(way("fattree:4@5,8", 0, 1), "5->18 18->26 26->32 32->28 28->20 20->8 ") << "d-mod-k";
  const TopologyPtr t = parse_topology("torus:4x4@10,0");
  EXPECT_EQ(t->ranks(), 2);
  EXPECT_EQ(t->vertices(), 16);
  EXPECT_FALSE(t->direct());
  const Link first = t->next(-1, 1, 0);
  EXPECT_EQ(t->tail(first), 1);
  EXPECT_EQ(t->head(first), 2) << "hosts that relay follow the ranks, in their order";
}

TEST(Changes, FailOneOfSeveral) {
  EXPECT_EQ(parse_topology("torus:4x4!0-1")->links(), 62);
  EXPECT_EQ(parse_topology("crossbar:3!0-1")->links(), 4) << "both directions";
  EXPECT_NE(refusal("torus:4x4!0-1#2").find("1 to 1"), std::string::npos) << refusal("torus:4x4!0-1#2");
}

TEST(Changes, GoUpAndThenDownWhereAskedTo) {
  const TopologyPtr t = parse_topology("torus:4x4:routes=updown");
  std::vector<int> level(16);
  for (Rank r = 0; r < 16; ++r) level[static_cast<std::size_t>(r)] = parse_topology("torus:4x4")->distance(0, r);
  const auto up = [&](Link link) {
    const auto at = [&](Rank r) { return std::pair(level[static_cast<std::size_t>(r)], r); };
    return at(t->head(link)) < at(t->tail(link));
  };
  for (Rank a = 0; a < 16; ++a)
    for (Rank b = 0; b < 16; ++b) {
      const std::vector<Link> path = route(*t, a, b);
      EXPECT_EQ(std::ssize(path), t->distance(a, b));
      for (std::size_t i = 1; i < path.size(); ++i) EXPECT_TRUE(up(path[i - 1]) || !up(path[i])) << a << " to " << b;
      EXPECT_TRUE(a == b || t->head(path.back()) == b);
    }
}

/// Routes of all pairs over the busiest link.
std::int64_t most_routes(const std::string& text) {
  const TopologyPtr t = parse_topology(text);
  std::vector<std::int64_t> routes(static_cast<std::size_t>(t->links()), 0);
  for (Rank a = 0; a < t->ranks(); ++a)
    for (Rank b = 0; b < t->ranks(); ++b)
      for (const Link link : route(*t, a, b)) ++routes[static_cast<std::size_t>(link)];
  return *std::max_element(routes.begin(), routes.end());
}

/// In a fat tree no link needs more routes than those of a host, which has one from and one to each other.
TEST(Changes, BalanceRoutesOverLinks) {
  for (const char* text :
       {"fattree:4:routes=", "tree:2,3:routes=", "xgft:2;4,4;1,4:routes=", "xgft:3;2,2,4;1,2,2:routes="}) {
    const Rank others = parse_topology(std::string(text) + "shortest")->ranks() - 1;
    EXPECT_EQ(most_routes(std::string(text) + "balanced"), others) << text;
    EXPECT_GT(most_routes(std::string(text) + "shortest"), 2 * others) << text;
  }
  for (const char* text : {"fattree:4!16-24", "fattree:8!128-160", "fattree:4~3", "dragonfly:4,2,2!72-73"})
    EXPECT_LT(4 * most_routes(text), 3 * most_routes(std::string(text) + ":routes=shortest"))
        << text << " is balanced where nobody asks for it, too";
  for (const char* text : {"fattree:4!16-24:routes=shortest", "torus:4x4!0-1", "petersen!0-1", "hamming:3x3!0-1"}) {
    const TopologyPtr one = parse_topology(text), other = parse_topology(std::string(text) + ":routes=balanced");
    for (Rank a = 0; a < one->ranks(); ++a)
      for (Rank b = 0; b < one->ranks(); ++b) {
        EXPECT_EQ(route(*one, a, b).size(), route(*other, a, b).size()) << "they are as short";
        EXPECT_EQ(other->distance(a, b), std::ssize(route(*other, a, b)));
      }
  }
}

/// Pairs whose route passes a rank.
int past_ranks(const std::string& text) {
  const TopologyPtr t = parse_topology(text);
  int pairs = 0;
  for (Rank from = 0; from < t->ranks(); ++from)
    for (Rank to = 0; to < t->ranks(); ++to) {
      const std::vector<Link> path = route(*t, from, to);
      pairs +=
          std::any_of(path.begin(), path.end(), [&](Link l) { return t->head(l) < t->ranks() && t->head(l) != to; });
    }
  return pairs;
}

// Dies of an MI250 box are two links apart by way of a die or of the switch between boxes.
TEST(Changes, BalancedRoutesPassFewRanks) {
  EXPECT_GT(past_ranks("mi250:2"), 100);
  EXPECT_EQ(past_ranks("mi250:2:routes=balanced"), 0);
}

TEST(Changes, AreRefusedInOneLine) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"torus:4x4!", "nothing stands behind !"},
      {"torus:4x4@", "nothing stands behind @"},
      {"torus:4x4!0-2", "no link joins the two of '0-2'"},
      {"torus:4x4!0-1,0-1", "has failed before"},
      {"torus:4x4!0-99", "there is no '0-99'"},
      {"torus:4x4!0-1#0", "number of the link"},
      {"torus:4x4@0,1,0", "0 stands twice"},
      {"torus:4x4@0,16", "there is no '16'"},
      {"torus:4x4~0-15", "no host is left"},
      {"fattree:4@16", "16 is no host"},
      {"ring:4!0-1,2-3", "cannot be reached"},
      {"star:3!n3", "rank 1 (1) cannot be reached from rank 0 (0)"},
      {"ring:4:routes=fast", "expected shortest, updown, balanced, chosen"},
      {"fattree:4!16-24:routes=dmodk", "expected shortest, updown, balanced, chosen"},
      {"kautz:2,2:routes=updown", "expected routes shortest"},
      {"bus:4!0-1", "do not join ranks or switches"},
      {"omega:3@0,1", "do not join ranks or switches"},
      {"hypercube:25!0-1", "at most 2^20"},
      {"petersen:10", "it has no sizes"},
      {"graph:", "no file"},
      {"graph:a%2", "%25"},
      {"graph:/no/such/file", "no such file"},
  };
  for (const auto& [text, why] : bad) {
    EXPECT_NE(refusal(text).find(why), std::string::npos) << text << ": " << refusal(text);
    EXPECT_EQ(refusal(text).find('\n'), std::string::npos);
  }
}

TEST(Changes, MayBeAskedForRoutesByManyThreads) {
  const TopologyPtr t = parse_topology("torus:16x16!0-1");
  std::vector<std::int64_t> sums(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sums.size(); ++i)
    threads.emplace_back([&, i] {
      for (Rank a = 0; a < t->ranks(); ++a)
        for (Rank b = 0; b < t->ranks(); ++b) sums[i] += t->distance(a, b);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, t->sum_of_distances());
}

TEST(Changes, CostNoMemoryOnFamiliesThatAreComputed) {
  const TopologyPtr t = parse_topology("fattree:64");
  EXPECT_EQ(t->ranks(), 65536);
  EXPECT_EQ(t->sum_of_distances(), t->ranks() * t->total_distance(0));
  std::int64_t total = 0;
  for (Rank to = 0; to < t->ranks(); ++to) {
    std::int64_t links = 0;
    for (Link link = to == 0 ? -1 : t->next(-1, 0, to); link >= 0; link = t->next(link, 0, to)) ++links;
    total += links;
  }
  EXPECT_EQ(total, t->total_distance(0));
}

/// Ranks that are left out are there all the same, as those of a job are: the others keep their memories and links.
TEST(Changes, TakeSomeOfTheRanksOnNodes) {
  const TopologyPtr all = parse_topology("star:3*2"), some = parse_topology("star:3*2@0-2,4");
  EXPECT_EQ(some->ranks(), 4);
  EXPECT_EQ(some->structure().per_node, 0) << "nodes are not alike";
  EXPECT_EQ(route(*some, 2, 3), route(*all, 2, 4));
  EXPECT_EQ(route(*some, 0, 1), route(*all, 0, 1));
  EXPECT_NE(refusal("star:3*2@0-5").find("all ranks of star:3*2 are named"), std::string::npos);
  EXPECT_NE(refusal("star:3*2@0,6").find("there is no '6'"), std::string::npos) << refusal("star:3*2@0,6");
  EXPECT_NE(refusal("star:3*2~1").find("is said of nodes"), std::string::npos);
}

/// Where a job has as many ranks of every group that it is in, these are its groups.
TEST(Changes, LeaveGroupsThatAJobTakesAlike) {
  const auto groups = [](const char* text) {
    const TopologyPtr t = parse_topology(text);
    const auto sizes = t->structure().groups;
    return std::vector<Rank>(sizes.begin(), sizes.end());
  };
  EXPECT_EQ(groups("dragonfly:4,4,1@0-63"), (std::vector<Rank>{4, 16}));
  EXPECT_EQ(groups("dragonfly:4,4,1@0-7,16-23"), (std::vector<Rank>{4, 8})) << "halves of two groups";
  EXPECT_EQ(groups("xgft:2;4,4;1,2@4-5,8-9,0-1"), std::vector<Rank>{2});
  EXPECT_EQ(groups("xgft:2;4,4;1,2@0-2,4-5"), std::vector<Rank>{}) << "three and two";
  EXPECT_EQ(groups("xgft:2;4,4;1,2@0-3"), std::vector<Rank>{}) << "all in one";
  EXPECT_EQ(groups("xgft:2;4,4;1,2@0,4,8,12"), std::vector<Rank>{}) << "all apart";
  EXPECT_EQ(groups("torus:4x4@0-7"), std::vector<Rank>{});
}

}  // namespace
}  // namespace quadrille::changes_test
