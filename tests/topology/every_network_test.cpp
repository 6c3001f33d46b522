// Every family of networks over many small sizes: routes, distances, wires, cuts and symmetries against what a search
// over its links finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "base/integer.hpp"
#include "flow/max_flow.hpp"
#include "route.hpp"
#include "settings.hpp"
#include "topology/grid.hpp"

namespace quadrille::every_network_test {
namespace {

using testing::route;

std::vector<std::string> networks() {
  std::vector<std::string> all{"mesh:1x5",     "mesh:2x2",    "mesh:4x4",    "mesh:3x5",  "mesh:2x3x4", "mesh:1x3x1x2",
                               "mesh:2x2x2x2", "mesh:5x5",    "torus:1x5",   "torus:2x2", "torus:4x4",  "torus:3x5",
                               "torus:2x3x4",  "torus:2x2x2", "torus:1x8x1", "torus:5x6", "torus:8x2",  "fly:2^1",
                               "fly:2^3",      "fly:3^2",     "fly:4^2",     "fly:5^1",   "bifly:2^1",  "bifly:2^3",
                               "bifly:3^2",    "bifly:4^2",   "bifly:5^1",   "bifly:3^3"};
  for (const std::string family : {"crossbar:", "ring:", "mesh:", "torus:", "bus:", "ethernet:", "memory:"})
    for (const int p : {2, 3, 4, 5, 8, 9}) all.push_back(family + std::to_string(p));
  for (int d = 1; d <= 5; ++d) {
    all.push_back("hypercube:" + std::to_string(d));
    all.push_back("omega:" + std::to_string(d));
  }
  for (const char* text : {"fattree:2",
                           "fattree:4/2",
                           "tree:3,2",
                           "xgft:3;1,2,3;1,1,2",
                           "xgft:2;4,4;1,2",
                           "dragonfly:1,2,2",
                           "dragonfly:2,1,1",
                           "star:5",
                           "full:2",
                           "path:2",
                           "circulant:13/1,5",
                           "hamming:2x2x2",
                           "flatbfly:3,2",
                           "flatbfly:2,1",
                           "kautz:2,2",
                           "debruijn:3,2",
                           "genkautz:12,3",
                           "dgx-a100:1",
                           "dgx-h100:2",
                           "xgft:1;5;1",
                           "hamming:4x1",
                           "twisted-torus:2x3+1",
                           "torus:3x2*3",
                           "star:3*2",
                           "ring:5*2/3",
                           "fattree:4/2*2",
                           "star:1*4",
                           "path:2*2*2",
                           "star:3*2@0-2,4-5",
                           "tree:2,3",
                           "fattree:2*2",
                           "star:4*2",
                           "xgft:3;2,4,2;2,2,4",
                           "xgft:2;2,8;4,2",
                           "xgft:3;2,2,2;1,4,4"})
    all.emplace_back(text);
  for (const std::string& text : testing::examples())
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
  return all;
}

/// Links that some route between neighbours uses, or, where no link joins two nodes, any route; of a graph all links.
std::set<Link> existing_links(const Topology& t) {
  std::set<Link> links;
  for (Link link = 0; t.structure().routed && link < t.links(); ++link) links.insert(link);
  for (Rank a = 0; a < t.nodes(); ++a)
    for (Rank b = 0; b < t.nodes(); ++b)
      for (const Link link : route(t, a, b)) links.insert(link);
  return links;
}

std::vector<int> breadth_first(const Topology& t, const std::set<Link>& links, Rank from) {
  std::vector<int> distance(static_cast<std::size_t>(t.nodes()), -1);
  std::queue<Rank> queue;
  distance[static_cast<std::size_t>(from)] = 0;
  for (queue.push(from); !queue.empty(); queue.pop())
    for (const Link link : links)
      if (t.tail(link) == queue.front() && distance[static_cast<std::size_t>(t.head(link))] < 0) {
        distance[static_cast<std::size_t>(t.head(link))] = distance[static_cast<std::size_t>(queue.front())] + 1;
        queue.push(t.head(link));
      }
  return distance;
}

/// Of all groups of so many ranks the one that the least flow can leave.
std::int64_t narrowest_cut(const Topology& t, Rank ranks) {
  std::vector<bool> inside(static_cast<std::size_t>(t.ranks()), false);
  std::fill_n(inside.begin(), ranks, true);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  do {
    flow::MaxFlow flow(t.vertices() + 1);
    for (Link link = 0; link < t.links(); ++link) flow.add(t.tail(link), t.head(link), t.facts(link).width);
    for (Rank r = 0; r < t.ranks(); ++r) {
      if (inside[static_cast<std::size_t>(r)])
        flow.add(t.vertices(), r, std::int64_t{1} << 40);
      else
        flow.make_end(r);
    }
    least = std::min(least, flow.run(t.vertices(), std::int64_t{1} << 50));
  } while (std::prev_permutation(inside.begin(), inside.end()));
  return least;
}

class EveryNetwork : public ::testing::TestWithParam<std::string> {
 protected:
  TopologyPtr network_ = parse_topology(GetParam());
  const Topology& t_ = *network_;
};

TEST_P(EveryNetwork, HasATextThatParsesBack) {
  EXPECT_EQ(t_.text(), GetParam());
  const std::string family = GetParam().substr(0, GetParam().find(':'));
  const bool part = GetParam().find('@') != std::string::npos;
  EXPECT_EQ(t_.family(), part ? "graph" : t_.structure().per_node > 0 ? "nodes" : family);
}

TEST_P(EveryNetwork, RoutesAreChainsAsLongAsTheDistance) {
  int most = 0;
  for (Rank a = 0; a < t_.nodes(); ++a)
    for (Rank b = 0; b < t_.nodes(); ++b) {
      const std::vector<Link> path = route(t_, a, b);
      EXPECT_EQ(static_cast<int>(path.size()), t_.distance(a, b)) << a << " to " << b;
      EXPECT_EQ(std::set<Link>(path.begin(), path.end()).size(), path.size()) << a << " to " << b;
      for (const Link link : path) EXPECT_TRUE(link >= 0 && link < t_.links()) << link;
      if (a < t_.ranks() && b < t_.ranks()) most = std::max(most, t_.distance(a, b));
      if (!t_.direct() || path.empty()) continue;
      EXPECT_EQ(t_.tail(path.front()), a);
      EXPECT_EQ(t_.head(path.back()), b);
      for (std::size_t i = 1; i < path.size(); ++i) EXPECT_EQ(t_.tail(path[i]), t_.head(path[i - 1]));
    }
  EXPECT_EQ(t_.diameter(), most);
}

TEST_P(EveryNetwork, RoutesAreShortestWhereLinksJoinNodes) {
  if (!t_.direct()) return;
  const std::set<Link> links = existing_links(t_);
  for (Rank a = 0; a < t_.nodes(); ++a) {
    const std::vector<int> shortest = breadth_first(t_, links, a);
    for (Rank b = 0; b < t_.nodes(); ++b) EXPECT_EQ(shortest[static_cast<std::size_t>(b)], t_.distance(a, b));
  }
}

TEST_P(EveryNetwork, CountsItsWiresAndWhatLeavesARank) {
  const std::set<Link> links = existing_links(t_);
  EXPECT_EQ(static_cast<std::int64_t>(links.size()), t_.wires());
  std::set<std::tuple<Rank, Rank>> ends;
  std::vector<int> leaving(static_cast<std::size_t>(t_.vertices())), entering(leaving);
  for (const Link link : links) {
    EXPECT_TRUE(links.count(t_.reverse(link))) << link;
    EXPECT_EQ(t_.reverse(t_.reverse(link)), link);
    if (!t_.direct() && !t_.structure().routed) continue;
    EXPECT_TRUE(ends.insert({t_.tail(link), t_.head(link)}).second) << "a second wire " << t_.name(link);
    if (t_.structure().routed && t_.reverse(link) != link) {
      EXPECT_EQ(t_.facts(t_.reverse(link)), t_.facts(link)) << t_.name(link);
    }
    if (!t_.structure().routed || t_.reverse(link) != link) {  // an arc of a graph may lead one way
      EXPECT_EQ(t_.tail(t_.reverse(link)), t_.head(link));
      EXPECT_EQ(t_.head(t_.reverse(link)), t_.tail(link));
    }
    ++leaving[static_cast<std::size_t>(t_.tail(link))], ++entering[static_cast<std::size_t>(t_.head(link))];
    if (const auto colour = t_.direct() ? t_.colour(t_.tail(link)) : std::nullopt) {
      EXPECT_NE(*colour, *t_.colour(t_.head(link)));
    }
  }
  if (!t_.direct() && !t_.structure().routed) return;
  const auto last = leaving.begin() + t_.ranks();
  EXPECT_EQ(t_.degree(), *std::max_element(leaving.begin(), last));
  EXPECT_EQ(t_.least_degree(), *std::min_element(leaving.begin(), last));
  EXPECT_EQ(leaving, entering);
}

TEST_P(EveryNetwork, ColoursUnlessItHasAnOddCycle) {
  if (!t_.direct()) return;
  bool odd = false;  // two nodes of a link as far from rank 0 as each other
  for (const Link link : existing_links(t_))
    odd = odd || (t_.distance(0, t_.tail(link)) - t_.distance(0, t_.head(link))) % 2 == 0;
  EXPECT_EQ(t_.colour(0).has_value(), !odd);
}

TEST_P(EveryNetwork, SumsDistancesAndFindsTheFarthest) {
  std::int64_t all = 0;
  for (Rank a = 0; a < t_.ranks(); ++a) {
    std::int64_t total = 0;
    Rank far = a == 0 ? 1 : 0;
    for (Rank b = 0; b < t_.ranks(); ++b) {
      total += t_.distance(a, b);
      if (t_.distance(a, b) > t_.distance(a, far)) far = b;
    }
    EXPECT_EQ(t_.total_distance(a), total) << a;
    EXPECT_EQ(t_.farthest(a), far) << a;
    all += total;
  }
  EXPECT_EQ(t_.sum_of_distances(), all);
  EXPECT_NEAR(t_.mean_distance(), static_cast<double>(all) / static_cast<double>(t_.ranks() * (t_.ranks() - 1)), 1e-12);
}

/// The names of links tell them apart.
TEST_P(EveryNetwork, NamesItsLinks) {
  const std::set<Link> links = existing_links(t_);
  std::set<std::string> names;
  for (const Link link : links) names.insert(t_.name(link));
  EXPECT_EQ(names.size(), links.size());
}

/// Some group of bisection_ranks() ranks is left by bisection() links, over which all its routes to the others lead.
TEST_P(EveryNetwork, HasACutAsNarrowAsItSays) {
  const Rank small = t_.bisection_ranks();
  EXPECT_GE(small, 1);
  EXPECT_LE(2 * small, t_.ranks());
  constexpr Rank few = 12;  // thousands of groups are tried
  if (t_.structure().routed) {
    EXPECT_TRUE(t_.ranks() > few || t_.bisection() == narrowest_cut(t_, small)) << "of " << small << " ranks";
    return;
  }
  std::vector<std::set<Rank>> candidates(2);  // the first ranks; the last ones; halves of an axis
  for (Rank r = 0; r < small; ++r) candidates[0].insert(r), candidates[1].insert(t_.ranks() - 1 - r);
  if (const auto* grid = t_.structure().grid)
    for (int i = 0; i < static_cast<int>(grid->sides().size()); ++i) {
      std::set<Rank> side;
      for (Rank r = 0; r < t_.ranks(); ++r)
        if (grid->coordinate(r, i) < grid->sides()[static_cast<std::size_t>(i)] / 2) side.insert(r);
      if (static_cast<Rank>(side.size()) == small) candidates.push_back(side);
    }
  std::int64_t fewest = t_.links() + 1;
  for (const std::set<Rank>& side : candidates) {
    std::set<Link> crossed;
    for (const Rank a : side)
      for (Rank b = 0; b < t_.ranks(); ++b) {
        if (side.count(b)) continue;
        const std::vector<Link> path = route(t_, a, b);
        if (!t_.direct() || t_.nodes() > t_.ranks()) {
          crossed.insert(path.front());  // what leaves the rank
          continue;
        }
        const auto leaves = std::find_if(path.begin(), path.end(), [&](Link l) { return !side.count(t_.head(l)); });
        crossed.insert(*leaves);
      }
    fewest = std::min(fewest, static_cast<std::int64_t>(crossed.size()));
  }
  EXPECT_EQ(t_.bisection(), fewest);
}

Rank renamed(Group group, Rank r, Rank by, Rank ranks) { return group == Group::rotate ? (r + by) % ranks : r ^ by; }

/// For every claimed group: renaming ranks maps routes to routes, a link's representative is that of its image, and a
/// representative stands for as many links as there are renamings, so that loads may be counted on it alone.
TEST_P(EveryNetwork, IsAsSymmetricAsItClaims) {
  EXPECT_TRUE(t_.invariant(Group::none));
  for (const Group group : {Group::rotate, Group::xor_all, Group::xor_even}) {
    if (!t_.invariant(group)) continue;
    ASSERT_TRUE(group == Group::rotate || base::is_power_of_two(t_.ranks()));
    std::set<std::tuple<Link, Link>> image;
    Rank renamings = 0;
    for (Rank by = 0; by < t_.ranks(); ++by) {
      if (group == Group::xor_even && base::popcount(by) % 2 != 0) continue;
      ++renamings;
      for (Rank a = 0; a < t_.ranks(); ++a)
        for (Rank b = 0; b < t_.ranks(); ++b) {
          const std::vector<Link> path = route(t_, a, b);
          const std::vector<Link> other =
              route(t_, renamed(group, a, by, t_.ranks()), renamed(group, b, by, t_.ranks()));
          ASSERT_EQ(path.size(), other.size());
          for (std::size_t i = 0; i < path.size(); ++i) {
            EXPECT_EQ(t_.representative(path[i], group), t_.representative(other[i], group));
            image.insert({path[i], other[i]});
          }
        }
    }
    for (const Link link : existing_links(t_)) {
      const auto images =
          std::count_if(image.begin(), image.end(), [&](const auto& x) { return std::get<0>(x) == link; });
      EXPECT_EQ(images, renamings) << t_.name(link);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Small, EveryNetwork, ::testing::ValuesIn(networks()), [](const auto& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace quadrille::every_network_test
