// Loads that are counted on representatives, against those of all ranks.
#include <gtest/gtest.h>

#include <map>

#include "base/integer.hpp"
#include "quadrille/topology.hpp"
#include "route.hpp"

namespace quadrille::counted_alike_test {
namespace {

using testing::route;

Rank moved(Group group, Rank r, Rank by, Rank ranks) { return group == Group::rotate ? (r + by) % ranks : r ^ by; }

/// Every rank sends to r + d, or r xor d: representatives' messages put as much on the link that stands for another one
/// as all messages put on that.
void expect_alike(const Topology& t, Group group) {
  const Rank stride = t.alike_by(group), ranks = t.ranks();
  ASSERT_EQ(ranks % stride, 0);
  for (Rank d = 1; d < ranks; ++d) {
    std::map<Link, std::int64_t> all, counted;
    for (Rank r = 0; r < ranks; ++r)
      for (const Link link : route(t, r, moved(group, r, d, ranks))) {
        ++all[link];
        if (r < stride) counted[t.representative(link, group)] += t.sharing(link, group);
      }
    for (const auto& [link, messages] : all)
      EXPECT_EQ(messages, counted[t.representative(link, group)]) << t.name(link) << ", moved by " << d;
  }
}

struct Alike {
  const char* network;
  Rank rotate, exclusive;  ///< 0: not alike by any number
};

TEST(CountedAlike, LoadsAreThoseOfAllRanks) {
  for (const Alike& a : {Alike{"star:8", 1, 1},
                         {"star:6", 1, 0},
                         {"star:4*2", 2, 1},
                         {"star:3*2", 2, 0},
                         {"star:4*3", 3, 0},
                         {"star:2*2*2", 4, 1},
                         {"ring:8*2", 2, 0},
                         {"hypercube:3*2", 0, 1},
                         {"fattree:4", 4, 1},
                         {"fattree:4*2", 8, 1},
                         {"fattree:6", 9, 0},
                         {"tree:2,3", 4, 1},
                         {"tree:3,2", 3, 0},
                         {"xgft:3;2,4,2;2,2,4", 8, 1},
                         {"xgft:2;2,8;4,2", 2, 1},
                         {"xgft:3;2,2,2;1,4,4", 0, 1},
                         {"xgft:3;2,3,1;1,1,1", 2, 0},
                         {"fattree:4!16-24", 0, 0},
                         {"torus:4x4*2", 0, 0}}) {
    SCOPED_TRACE(a.network);
    const TopologyPtr t = parse_topology(a.network);
    EXPECT_EQ(t->alike_by(Group::rotate), a.rotate);
    EXPECT_EQ(t->alike_by(Group::xor_all), a.exclusive);
    EXPECT_EQ(t->alike_by(Group::none), 1);
    if (t->alike_by(Group::rotate) > 0) expect_alike(*t, Group::rotate);
    if (t->alike_by(Group::xor_all) > 0) expect_alike(*t, Group::xor_all);
  }
}

}  // namespace
}  // namespace quadrille::counted_alike_test
