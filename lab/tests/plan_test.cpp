// What a lab is made of, as data: nothing here needs root or touches the machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "blueprint.hpp"
#include "quadrille/base.hpp"

namespace quadrille::lab::plan_test {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

Blueprint drawn(std::string_view network, const Options& options = {}) {
  return draw(parse_wiring(network), options, "t-");
}

TEST(LabSpec, RatesAreReadAndWrittenAsTcDoes) {
  EXPECT_EQ(parse_rate("20mbit"), 20'000'000);
  EXPECT_EQ(parse_rate("1.5gbit"), 1'500'000'000);
  EXPECT_EQ(parse_rate("64kbit"), 64'000);
  EXPECT_EQ(format_rate(20'000'000), "20mbit");
  EXPECT_EQ(format_rate(1'500'000), "1500kbit");
  EXPECT_EQ(format_rate(999), "999bit");
  for (const char* wrong : {"", "mbit", "20", "20MB", "-1mbit", "63kbit", "11gbit", "nanmbit", "1e99gbit", "20 mbit;"})
    EXPECT_THROW(parse_rate(wrong), Error) << wrong;
}

TEST(LabSpec, NetworksThatCannotBeAreRefused) {
  EXPECT_NE(message_of([] { parse_wiring("omega:8"); }).find("a lab emulates ring:P"), std::string::npos);
  EXPECT_NE(message_of([] { parse_wiring("ring:65"); }).find("65 hosts; expected 2 to 64"), std::string::npos);
  EXPECT_THROW(parse_wiring("hypercube:0"), Error);
  EXPECT_NE(message_of([] { parse_wiring("fattree:2x4"); }).find("fattree:LxHxS"), std::string::npos);
  EXPECT_NE(message_of([] { parse_wiring("fattree:9x9x1"); }).find("81 hosts"), std::string::npos);
  EXPECT_THROW(parse_wiring("star"), Error);
  EXPECT_THROW(parse_wiring("hypercube:60"), Error);
  EXPECT_NE(message_of([] { parse_wiring("star:4*2*4"); }).find("one memory each"), std::string::npos);
  EXPECT_NE(message_of([] { parse_wiring("star:64*5"); }).find("320 ranks"), std::string::npos);
  EXPECT_NE(message_of([] { parse_wiring("full:64"); }).find("2016 wires; expected at most 512"), std::string::npos);
  EXPECT_NE(message_of([] { parse_wiring("fattree:8"); }).find("128 hosts"), std::string::npos);
}

TEST(LabSpec, ANetworkIsNamedAsThePlannerNamesIt) {
  EXPECT_EQ(parse_wiring("star:8").topology, "crossbar:8");
  EXPECT_EQ(parse_wiring("ethernet:4").topology, "ethernet:4");
  EXPECT_EQ(parse_wiring("torus:4x4").topology, "torus:4x4");
  EXPECT_EQ(parse_wiring("fattree:2x4x1").topology, "xgft:2;4,2;1,1");
  EXPECT_EQ(parse_wiring("fattree:2x4x1").text, "fattree:2x4x1");
  EXPECT_EQ(parse_wiring("fattree:2x4x1*2").topology, "xgft:2;4,2;1,1*2");
  EXPECT_EQ(parse_wiring("star:4*2").topology, "star:4*2");
}

/// Wires by hand: a ring of P has P; a 2x3 mesh 2*2 + 3*1; a 3x3 torus 2*9; sides of 2 do not wrap, so torus:2x4 has 4
/// across and 2*4 round; a cube of D has D * 2^(D-1); star and bus one each; 2 leaves of 4 with 3 spines 8 + 2*3.
TEST(LabWiring, WiresAreCounted) {
  const std::map<std::string, std::size_t> wires{{"ring:8", 8},     {"ring:2", 1},     {"mesh:2x3", 7},
                                                 {"torus:3x3", 18}, {"torus:2x4", 12}, {"hypercube:4", 32},
                                                 {"crossbar:5", 5}, {"bus:5", 5},      {"fattree:2x4x3", 14}};
  for (const auto& [network, count] : wires) EXPECT_EQ(parse_wiring(network).wires.size(), count) << network;
}

/// Every host's way, hop by hop as the hosts' tables have it, is the topology's route.
TEST(LabWiring, HopsAreTheTopologysRoutes) {
  for (const char* network : {"ring:2", "ring:7", "ring:8", "mesh:3x4", "torus:4x4", "torus:3x2x4", "hypercube:4"}) {
    const TopologyPtr topology = parse_topology(network);
    const Blueprint blueprint = drawn(network);
    for (Rank from = 0; from < topology->ranks(); ++from)
      for (Rank to = 0; to < topology->ranks(); ++to) {
        std::vector<Link> path;
        topology->route(from, to, path);
        Rank at = from;
        for (const Link link : path) {
          ASSERT_EQ(at, topology->tail(link));
          Rank via = -1;
          for (const Route& route : blueprint.nodes[static_cast<std::size_t>(at)].routes)
            if (route.to == to) via = route.via;
          ASSERT_EQ(via, topology->head(link)) << network << ": " << from << " to " << to << " at " << at;
          at = via;
        }
        ASSERT_EQ(at, to);
      }
  }
}

/// Odd ranks cross the diagonal the other way, so that at 0 the way to 3 depends on who asks.
class Fickle final : public Topology {
 public:
  std::string_view family() const override { return "fickle"; }
  std::string text() const override { return "fickle:4"; }
  Rank ranks() const override { return 4; }
  Link links() const override { return 16; }
  int diameter() const override { return 2; }
  int distance(Rank from, Rank to) const override { return from == to ? 0 : 2; }
  int degree() const override { return 3; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override {
    if (from == to) return;
    const Rank by = from == 0 ? 1 : 0;  // from 0 by way of 1; from others by way of 0, and straight on
    if (by != to && by != from) path.push_back(from * 4 + by);
    path.push_back((by != to && by != from ? by : from) * 4 + to);
  }
  Rank tail(Link link) const override { return link / 4; }
  Rank head(Link link) const override { return link % 4; }
  Link reverse(Link link) const override { return head(link) * 4 + tail(link); }
  std::int64_t bisection() const override { return 1; }
  std::int64_t total_distance(Rank) const override { return 6; }
  std::optional<int> colour(Rank) const override { return std::nullopt; }
  bool invariant(Group group) const override { return group == Group::none; }
  Link representative(Link link, Group) const override { return link; }
};

TEST(LabWiring, WaysThatDependOnTheSenderAreRefused) {
  EXPECT_NE(message_of([] { wiring_of(Fickle()); }).find("depends on where a message comes from"), std::string::npos);
}

/// On a ring of 6, routes of up to 3 hops clockwise and 2 back: what leaves 0 for 1 comes from 0, 5 and 4 (3 hops
/// would make it clockwise: 4 to 1), and what leaves 0 for 5 from 0 and 1.
TEST(LabBlueprint, ClassesAreTheSourcesThatCrossALink) {
  const Blueprint blueprint = drawn("ring:6");
  const Node& zero = blueprint.nodes[0];
  ASSERT_EQ(zero.shapers.size(), 2u);
  EXPECT_EQ(zero.shapers[0].device, "to1");
  EXPECT_EQ(zero.shapers[0].sources, (std::vector<int>{0, 4, 5}));
  EXPECT_EQ(zero.shapers[1].device, "to5");
  EXPECT_EQ(zero.shapers[1].sources, (std::vector<int>{0, 1}));
}

TEST(LabBlueprint, ASwitchLimitsWhatGoesToAHostAndAHostWhatLeavesIt) {
  const Blueprint blueprint = drawn("star:3");
  ASSERT_EQ(blueprint.nodes.size(), 4u);
  EXPECT_EQ(blueprint.nodes[1].shapers[0].sources, (std::vector<int>{1}));
  EXPECT_EQ(blueprint.nodes[3].shapers[1].device, "to1");
  EXPECT_EQ(blueprint.nodes[3].shapers[1].sources, (std::vector<int>{0, 2}));
}

TEST(LabBlueprint, ABusHasOneShaperForAll) {
  const Blueprint blueprint = drawn("bus:3");
  std::size_t shapers = 0;
  for (const Node& node : blueprint.nodes) shapers += node.shapers.size();
  EXPECT_EQ(shapers, 1u);
  EXPECT_EQ(blueprint.nodes[3].shapers[0].sources, (std::vector<int>{0, 1, 2}));
  EXPECT_NE(shaping_batch(blueprint, 3).find("mirred egress redirect dev bus"), std::string::npos);
  EXPECT_EQ(shaping_batch(blueprint, 0), "");
}

TEST(LabBlueprint, TrunksOfAFatTreeHaveTheirOwnRate) {
  Options options;
  options.trunk = 40'000'000;
  const Blueprint blueprint = drawn("fattree:2x2x1", options);
  EXPECT_EQ(blueprint.changes.rates,
            (std::vector<Rate>{20'000'000, 20'000'000, 20'000'000, 20'000'000, 40'000'000, 40'000'000}));
  // what host 0 sends to the other leaf goes up by the leaf s0 = node 4 to the spine s2 = node 6
  const std::vector<Route>& routes = blueprint.nodes[4].routes;
  EXPECT_EQ(routes[2].to, 2);
  EXPECT_EQ(routes[2].via, 6);
}

/// Both ends of every wire, and every route and neighbour, are the lab's own: no traffic can leave it.
TEST(LabBlueprint, NothingLeadsOut) {
  for (const char* network : {"ring:5", "torus:3x3", "hypercube:3", "star:4", "bus:4", "fattree:2x2x2"}) {
    const Blueprint blueprint = drawn(network);
    std::set<std::string> names;
    for (const Node& node : blueprint.nodes) names.insert(node.name);
    EXPECT_EQ(names.size(), blueprint.nodes.size());
    std::istringstream wires(wires_batch(blueprint));
    for (std::string line; std::getline(wires, line);) {
      std::istringstream words(line);
      int ends = 0;
      for (std::string word, before; words >> word; before = word)
        if (before == "netns") {
          ++ends;
          EXPECT_TRUE(names.contains(word)) << line;
        }
      EXPECT_EQ(ends, 2) << line;
    }
    for (int node = 0; node < blueprint.wiring.nodes(); ++node)
      EXPECT_EQ(inside_batch(blueprint, node).find("default"), std::string::npos);
  }
}

TEST(LabBlueprint, NodesHaveLabelsAndNames) {
  const Blueprint blueprint = drawn("star:3");
  EXPECT_EQ(parse_node(blueprint, "2"), 2);
  EXPECT_EQ(parse_node(blueprint, "s0"), 3);
  EXPECT_EQ(parse_node(blueprint, "t-1"), 1);
  EXPECT_EQ(message_of([&] { parse_node(blueprint, "3"); }), "host '3': expected 0 to 2, or a switch, s0 to s0");
}

/// The smallest network there is, word for word. Of the 20 Mbit/s each way, all are the one source's.
TEST(LabBlueprint, TwoHostsWordForWord) {
  const Blueprint blueprint = drawn("ring:2");
  EXPECT_EQ(namespaces_batch(blueprint), "netns add t-0\nnetns add t-1\n");
  EXPECT_EQ(wires_batch(blueprint),
            "link add to1 netns t-0 mtu 1500 address 02:77:00:00:00:01 type veth peer name to0 netns t-1 mtu 1500 "
            "address 02:77:00:01:00:00\n");
  EXPECT_EQ(inside_batch(blueprint, 0),
            "link set lo up\n"
            "link add id0 mtu 1500 type veth peer name id1 mtu 1500\n"
            "link set id1 up\n"
            "link set id0 up\n"
            "addr add 10.77.0.1/32 dev id0\n"
            "link set to1 up gso_max_segs 1\n"
            "neigh replace 10.77.0.2 lladdr 02:77:00:01:00:00 dev to1 nud permanent\n"
            "route replace 10.77.0.2/32 via 10.77.0.2 dev to1 onlink src 10.77.0.1 rto_min 2s\n");
  EXPECT_EQ(
      shaping_batch(blueprint, 0),
      "qdisc add dev to1 root handle 1: htb default ffff\n"
      "class add dev to1 parent 1: classid 1:fffe htb rate 20mbit burst 1514 cburst 1514\n"
      "class add dev to1 parent 1:fffe classid 1:1 htb rate 20000000bit ceil 20mbit burst 1514 cburst 1514 quantum "
      "1514\n"
      "class add dev to1 parent 1:fffe classid 1:ffff htb rate 20000bit ceil 20mbit burst 1514 cburst 1514 quantum "
      "1514\n"
      "qdisc add dev to1 parent 1:1 bfifo limit 32mb\n"
      "filter add dev to1 parent 1: protocol ip u32 match ip src 10.77.0.1 flowid 1:1\n"
      "qdisc add dev to1 parent 1:ffff bfifo limit 32mb\n");
  Options fifo;
  fifo.fifo = true;
  EXPECT_EQ(shaping_batch(drawn("ring:2", fifo), 1), "qdisc add dev to0 root tbf rate 20mbit burst 3028 limit 32mb\n");
}

}  // namespace
}  // namespace quadrille::lab::plan_test
