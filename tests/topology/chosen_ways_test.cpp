// Networks on which somebody says the ways of messages between pairs of ranks.
#include <gtest/gtest.h>

#include "quadrille/topology.hpp"
#include "route.hpp"
#include "topology/division.hpp"

namespace quadrille::chosen_ways_test {
namespace {

using testing::route;

/// Two switches of two hosts each, and two above: vertices 4, 5, and 6, 7.
TopologyPtr two_spines() { return parse_topology("xgft:2;2,2;1,2:routes=chosen"); }

Link link_named(const Topology& t, const std::string& name) {
  for (Link link = 0; link < t.links(); ++link)
    if (t.name(link) == name) return link;
  return -1;
}
Topology::Way way(const Topology& t, Rank from, Rank to, const std::vector<std::string>& names) {
  Topology::Way named{from, to, {}};
  for (const std::string& name : names) named.links.push_back(link_named(t, name));
  return named;
}
std::string text_of(const Topology& t, Rank from, Rank to) {
  std::string all;
  for (const Link link : route(t, from, to)) all += t.name(link) + " ";
  return all;
}
std::string refusal(const Topology& t, std::vector<Topology::Way> ways) {
  try {
    t.with_ways(std::move(ways));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::argument);
    return error.what();
  }
  return "accepted";
}

TEST(ChosenWays, ThosePairsTakeThemAndOthersTheirRoutes) {
  const TopologyPtr t = two_spines();
  ASSERT_TRUE(t->chooses_ways());
  const std::string before = text_of(*t, 1, 3);
  for (const char* spine : {"6", "7"}) {
    const std::vector<std::string> names{"0->4", std::string("4->") + spine, std::string(spine) + "->5", "5->2"};
    const TopologyPtr chosen = t->with_ways({way(*t, 0, 2, names)});
    EXPECT_FALSE(chosen->chooses_ways());
    EXPECT_EQ(text_of(*chosen, 0, 2), names[0] + " " + names[1] + " " + names[2] + " " + names[3] + " ");
    EXPECT_EQ(text_of(*chosen, 1, 3), before);
    EXPECT_EQ(chosen->distance(0, 2), 4);
    EXPECT_EQ(chosen->text(), t->text());
  }
}

// The way with most parts is the route; where pairs have one way each nothing is divided.
TEST(ChosenWays, APairMayHaveSeveral) {
  const TopologyPtr t = two_spines();
  auto low = way(*t, 0, 2, {"0->4", "4->6", "6->5", "5->2"}), high = way(*t, 0, 2, {"0->4", "4->7", "7->5", "5->2"});
  const auto back = way(*t, 2, 0, {"2->5", "5->7", "7->4", "4->0"});
  EXPECT_FALSE(t->with_ways({low, back})->divides());
  EXPECT_TRUE(t->with_ways({low, back})->divided(0, 2).empty());
  low.parts = 2, high.parts = 5;
  const TopologyPtr both = t->with_ways({low, back, high});
  EXPECT_TRUE(both->divides());
  ASSERT_EQ(both->divided(0, 2).size(), 2U);
  EXPECT_EQ(both->divided(0, 2)[0].links, high.links);
  EXPECT_EQ(both->divided(0, 2)[0].parts, 5);
  EXPECT_EQ(both->divided(0, 2)[1].links, low.links);
  EXPECT_TRUE(both->divided(2, 0).empty());
  EXPECT_TRUE(both->divided(0, 3).empty());
  EXPECT_EQ(route(*both, 0, 2), high.links);
}

TEST(ChosenWays, SharesAreWholeAndAddUp) {
  const std::vector<Topology::Way> ways{{0, 1, {}, 5}, {0, 1, {}, 2}, {0, 1, {}, 1}};
  std::vector<Bytes> shares;
  for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{7}, Bytes{8}, Bytes{1001}, Bytes{1} << 60}) {
    topology::divide(ways, bytes, shares);
    ASSERT_EQ(shares.size(), 3U);
    EXPECT_EQ(shares[0] + shares[1] + shares[2], bytes);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LE(std::abs(static_cast<double>(shares[i]) - static_cast<double>(bytes) * ways[i].parts / 8),
                1 + 1e-9 * static_cast<double>(bytes));
  }
}

// Ranks 0, 1 and 2 are hosts 0, 1 and 4 of the torus, and all others relay.
TEST(ChosenWays, LengthsKnowDetours) {
  const TopologyPtr t = parse_topology("torus:4x4@0,1,4:routes=chosen");
  const TopologyPtr chosen = t->with_ways({way(*t, 0, 1, {"0->3", "3->2", "2->1"})});
  EXPECT_EQ(t->distance(0, 1), 1);
  EXPECT_EQ(chosen->distance(0, 1), 3);
  EXPECT_EQ(chosen->distance(1, 0), 1);
  EXPECT_EQ(chosen->total_distance(0), t->total_distance(0) + 2);
  EXPECT_EQ(chosen->sum_of_distances(), t->sum_of_distances() + 2);
  EXPECT_EQ(chosen->farthest(0), 1);
  EXPECT_EQ(chosen->diameter(), 3);
}

TEST(ChosenWays, WrongOnesAreRefused) {
  const TopologyPtr t = two_spines();
  const auto good = way(*t, 0, 2, {"0->4", "4->6", "6->5", "5->2"});
  EXPECT_EQ(refusal(*t, {good}), "accepted");
  EXPECT_NE(refusal(*t, {good, good}).find("the way from 0 to 2 is there twice"), std::string::npos);
  for (const std::int32_t parts : {0, -1, Topology::most_parts + 1}) {
    auto wrong = good;
    wrong.parts = parts;
    EXPECT_NE(refusal(*t, {wrong}).find("parts; expected 1 to 1048576"), std::string::npos) << parts;
  }
  EXPECT_NE(refusal(*t, {way(*t, 0, 2, {"0->4", "4->6"})}).find("the way from 0 to 2 ends at 6"), std::string::npos);
  EXPECT_NE(refusal(*t, {way(*t, 0, 2, {"0->4", "6->5", "5->2"})}).find("which does not leave 4"), std::string::npos);
  EXPECT_NE(refusal(*t, {way(*t, 0, 2, {"0->4", "4->1", "1->4", "4->6", "6->5", "5->2"})}).find("passes rank 1"),
            std::string::npos);
  EXPECT_NE(refusal(*t, {way(*t, 0, 2, {"0->4", "4->6", "6->4", "4->6", "6->5", "5->2"})}).find("twice"),
            std::string::npos);
  EXPECT_NE(refusal(*t, {way(*t, 0, 2, {"nowhere"})}).find("link -1"), std::string::npos);
  EXPECT_NE(refusal(*t, {{0, 0, {}}}).find("expected ranks below 4"), std::string::npos);
  EXPECT_NE(refusal(*t, {{0, 9, {}}}).find("expected ranks below 4"), std::string::npos);
  EXPECT_NE(refusal(*parse_topology("fattree:4"), {}).find("':routes=chosen'"), std::string::npos);
}

TEST(ChosenWays, NeedSwitches) {
  for (const char* text : {"petersen:routes=chosen", "torus:4x4!0-1:routes=chosen"}) try {
      parse_topology(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("there are no switches to choose ways through"), std::string::npos);
    }
  for (const char* text : {"torus:4x4@0,1,4:routes=chosen", "fattree:4:routes=chosen", "dgx-a100:2:routes=chosen"})
    EXPECT_TRUE(parse_topology(text)->chooses_ways()) << text;
}

// A note of plans asks so.
TEST(ChosenWays, CanBeAskedForBehindEveryNetworkWithSwitches) {
  int asked = 0;
  for (const TopologyFamily& family : topology_families())
    for (const std::string_view arguments : family.examples)
      for (const char* change : {"", "@0,1,2", "!0-1"}) {
        const std::string text = std::string(family.name) + (arguments.empty() ? "" : ":") + std::string(arguments);
        TopologyPtr t;
        try {
          t = parse_topology(text + change);
        } catch (const Error&) {
          continue;
        }
        const Topology::Structure structure = t->structure();
        if (t->direct() || !structure.routed || structure.per_node > 0) continue;
        EXPECT_TRUE(parse_topology(t->text() + ":routes=chosen")->chooses_ways()) << t->text();
        ++asked;
      }
  EXPECT_GT(asked, 20);
}

// Without a word they are balanced.
TEST(ChosenWays, RoutesAreBalancedWhereNobodyChooses) {
  const TopologyPtr chosen = parse_topology("fattree:4:routes=chosen"),
                    balanced = parse_topology("fattree:4:routes=balanced");
  for (Rank from = 0; from < chosen->ranks(); ++from)
    for (Rank to = 0; to < chosen->ranks(); ++to) EXPECT_EQ(route(*chosen, from, to), route(*balanced, from, to));
}

}  // namespace
}  // namespace quadrille::chosen_ways_test
