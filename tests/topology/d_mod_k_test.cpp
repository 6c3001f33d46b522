// Routes of fat trees: d-mod-k, which has a property that tells it from its look-alikes.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "route.hpp"

namespace quadrille::d_mod_k_test {
namespace {

using testing::route;

/// Messages on the busiest link where every rank sends to the k-th next one.
std::int64_t busiest(const Topology& t, Rank k) {
  std::vector<std::int64_t> load(static_cast<std::size_t>(t.links()), 0);
  for (Rank r = 0; r < t.ranks(); ++r)
    for (const Link link : route(t, r, (r + k) % t.ranks())) ++load[static_cast<std::size_t>(link)];
  return *std::max_element(load.begin(), load.end());
}

/// Zahavi 2010: where all levels have as many links as hosts, no two messages of any shift meet.
TEST(DModK, ShiftsAreNeverBlockedOnFullFatTrees) {
  for (const char* text : {"fattree:2", "fattree:4", "fattree:6", "fattree:8", "tree:2,4", "tree:3,3", "tree:5,2",
                           "xgft:2;4,4;1,4", "xgft:3;2,4,3;1,2,4", "xgft:2;6,9;1,6"}) {
    const TopologyPtr t = parse_topology(text);
    for (Rank k = 1; k < t->ranks(); ++k) EXPECT_EQ(busiest(*t, k), 1) << text << ", shifted by " << k;
  }
}

/// With fewer links upwards than hosts, these share them evenly.
TEST(DModK, ShiftsShareTaperedLinksEvenly) {
  for (const char* text : {"xgft:2;4,4;1,2", "xgft:2;8,8;1,4", "xgft:3;2,4,4;1,1,4"}) {
    const TopologyPtr t = parse_topology(text);
    for (Rank k = 1; k < t->ranks(); ++k) EXPECT_LE(busiest(*t, k), 2) << text << ", shifted by " << k;
  }
}

/// A destination's messages come down one way, wherever they are from.
TEST(DModK, RoutesToAHostAreATree) {
  const TopologyPtr t = parse_topology("xgft:3;2,4,3;1,2,4");
  for (Rank to = 0; to < t->ranks(); ++to) {
    std::vector<Link> leaving(static_cast<std::size_t>(t->vertices()), -1);
    for (Rank from = 0; from < t->ranks(); ++from)
      for (const Link link : route(*t, from, to)) {
        Link& only = leaving[static_cast<std::size_t>(t->tail(link))];
        EXPECT_TRUE(only < 0 || only == link) << t->name(link);
        only = link;
      }
  }
}

}  // namespace
}  // namespace quadrille::d_mod_k_test
