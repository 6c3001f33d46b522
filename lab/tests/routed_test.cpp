// Networks with switches, several ranks a host and links that differ or fail, as data: nothing here touches the
// machine.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "blueprint.hpp"
#include "quadrille/base.hpp"

namespace quadrille::lab::routed_test {
namespace {

Blueprint drawn(std::string_view network, const Options& options = {}, Changes changes = {}) {
  return draw(parse_wiring(network), options, "t-", std::move(changes));
}

/// A file that is gone with the test.
class NetworkFile {
 public:
  explicit NetworkFile(std::string_view text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("quadrille-lab-{}.net", getpid())) {
    std::ofstream(path_) << text;
  }
  ~NetworkFile() { std::filesystem::remove(path_); }
  std::string network() const { return "graph:" + path_.string(); }

 private:
  std::filesystem::path path_;
};

/// A host or switch of a lab stands for what a vertex of the planner's network is: `k` ranks and their memory are one.
int node_of(std::int64_t vertex, const Topology& t, int k) {
  if (t.structure().per_node == 0) return static_cast<int>(vertex);
  return static_cast<int>(vertex < t.ranks() ? vertex / k : vertex - t.ranks());
}

/// The nodes on the way of a message, by the tables of the blueprint.
std::vector<int> way(const Blueprint& blueprint, int from, int to) {
  std::vector<int> nodes{from};
  while (nodes.back() != to && nodes.size() < 300) {
    const auto& routes = blueprint.nodes[static_cast<std::size_t>(nodes.back())].routes;
    const auto route = std::find_if(routes.begin(), routes.end(), [&](const Route& r) { return r.to == to; });
    if (route == routes.end()) return {};
    nodes.push_back(route->via);
  }
  return nodes;
}

/// Every rank's way through tables of hosts and switches is the topology's route, but for steps within a host.
TEST(LabRouted, HopsAreTheTopologysRoutes) {
  for (const char* network : {"star:4*2", "xgft:2;4,2;1,1", "xgft:2;2,3;1,2*2", "torus:2x2*2", "fattree:4",
                              "fattree:4/2*3", "tree:2,3", "dragonfly:2,1,1", "hamming:3x3*2", "petersen",
                              "circulant:9/1,3", "kautz:2,2", "mesh:2x3!0-1", "torus:3x3@0,4,8*2", "full:4*2/2"}) {
    const TopologyPtr topology = parse_topology(network);
    const Blueprint blueprint = drawn(network);
    const int k = blueprint.wiring.per_host;
    EXPECT_EQ(blueprint.wiring.ranks(), topology->ranks()) << network;
    for (Rank from = 0; from < topology->ranks(); ++from)
      for (Rank to = 0; to < topology->ranks(); ++to) {
        std::vector<int> wanted{static_cast<int>(from) / k};
        std::vector<Link> path;
        topology->route(from, to, path);
        for (const Link link : path)
          if (const int node = node_of(topology->head(link), *topology, k); node != wanted.back())
            wanted.push_back(node);
        ASSERT_EQ(way(blueprint, static_cast<int>(from) / k, static_cast<int>(to) / k), wanted)
            << network << ": " << from << " to " << to;
      }
  }
}

/// By hand: a star of 4 has 4; two leaves of 4 hosts with one spine 10; a 4-ary fat tree 16 in each of three levels;
/// dragonfly:2,1,1 has 3 groups of 2 routers: 6 hosts, 3 wires in groups, 3 between.
TEST(LabRouted, WiresAreCounted) {
  const std::map<std::string, std::size_t> wires{{"star:4*2", 4},         {"xgft:2;4,2;1,1", 10}, {"fattree:4", 48},
                                                 {"dragonfly:2,1,1", 12}, {"torus:2x2*2", 4},     {"petersen", 15}};
  for (const auto& [network, count] : wires) EXPECT_EQ(parse_wiring(network).wires.size(), count) << network;
}

TEST(LabRouted, WidthsKindsAndRailsMakeRates) {
  const Blueprint rails = drawn("star:3*2/2");
  EXPECT_EQ(rails.changes.rates, (std::vector<Rate>(3, 40'000'000)));
  Options options;
  options.kinds = {{"level1", 5'000'000}};
  const Blueprint tree = drawn("xgft:2;2,2;1,1;1,3", options);
  EXPECT_EQ(tree.changes.rates,
            (std::vector<Rate>{20'000'000, 20'000'000, 20'000'000, 20'000'000, 15'000'000, 15'000'000}));
}

TEST(LabRouted, AGraphSaysItsRatesAndItsNameIsThePlanners) {
  const NetworkFile file("host a b c\nswitch s\nlink a s 20Mbit/s\nlink b s 20Mbit/s x2\nlink c s 5Mbit/s\n");
  Options options;
  options.rate = 0;
  const Blueprint graph = drawn(file.network(), options);
  EXPECT_EQ(graph.changes.rates, (std::vector<Rate>{20'000'000, 20'000'000, 20'000'000, 5'000'000}));
  EXPECT_EQ(parse_topology(graph.wiring.topology)->ranks(), 3);
  EXPECT_EQ(graph.wiring.wires[2].which, 2);
  EXPECT_EQ(graph.nodes[1].ports[1].device, "to3-2");
  EXPECT_NE(wires_batch(graph).find("link add to3-2 netns t-1 mtu 1500 address 02:77:01:01:00:03 type veth peer name "
                                    "to1-2 netns t-s0 mtu 1500 address 02:77:01:03:00:01"),
            std::string::npos)
      << wires_batch(graph);
  options.rate = 4'000'000;  // of width 1, which here is 5 Mbit/s
  EXPECT_EQ(drawn(file.network(), options).changes.rates,
            (std::vector<Rate>{16'000'000, 16'000'000, 16'000'000, 4'000'000}));
}

TEST(LabRouted, RatesThatNoLinkHasAreRefused) {
  const NetworkFile file("host a b\nlink a b 25GB/s\n");
  Options options;
  options.rate = 0;
  try {
    drawn(file.network(), options);
    ADD_FAILURE() << "200 Gbit/s";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("link 0-1 would have 2e+05 Mbit/s"), std::string::npos) << error.what();
  }
}

/// A one-way wire carries messages one way only, so only that end has a rate.
TEST(LabRouted, OneWayWiresAreShapedAtTheirTail) {
  const NetworkFile file("host a b c\narc a b 1\narc b c 1\narc c a 1\n");
  const Blueprint ring = drawn(file.network());
  for (const Node& node : ring.nodes) {
    EXPECT_EQ(node.ports.size(), 2u);
    EXPECT_EQ(node.shapers.size(), 1u);
  }
  EXPECT_EQ(way(ring, 1, 0), (std::vector<int>{1, 2, 0}));
}

/// What is left of torus:2x2 without 0-1 is the path 0 2 3 1.
TEST(LabFailures, RoutesLeadAround) {
  const Wiring whole = parse_wiring("torus:2x2*2");
  const int failed = 0;
  ASSERT_EQ(wire_name(whole, whole.wires[failed]), "0-1");
  const Blueprint left = drawn("torus:2x2*2", {}, {.failed = {failed}, .avoided = {failed}});
  EXPECT_EQ(left.wiring.topology, "torus:2x2!0-1*2");
  EXPECT_EQ(left.wiring.text, "torus:2x2*2");
  EXPECT_EQ(way(left, 0, 1), (std::vector<int>{0, 2, 3, 1}));
  EXPECT_EQ(ways_batch(left, 0).find("to1 "), std::string::npos) << "nothing is said of a device that is down";
  EXPECT_EQ(switching_batch(left, 0, {failed}, false), "link set to1 down\n");
  EXPECT_EQ(switching_batch(left, 1, {failed}, true), "link set to0 up gso_max_segs 1\n");
}

/// For every wire of some networks: ways between all hosts avoid it, and are those of the planner's network.
TEST(LabFailures, NoWayCrossesAWireThatFailed) {
  for (const char* network : {"ring:5", "hypercube:3", "torus:3x3*2", "xgft:2;2,3;1,2", "full:5", "circulant:7/1,2"}) {
    const Wiring whole = parse_wiring(network);
    for (std::size_t i = 0; i < whole.wires.size(); ++i) {
      const Wire& wire = whole.wires[i];
      if (std::string_view(network).starts_with("xgft") && !wire.trunk) continue;  // the only way to a host
      const int failed = static_cast<int>(i);
      const Blueprint left = drawn(network, {}, {.failed = {failed}, .avoided = {failed}});
      EXPECT_EQ(left.wiring.wires.size(), whole.wires.size());
      const TopologyPtr topology = parse_topology(left.wiring.topology);
      for (int from = 0; from < whole.hosts; ++from)
        for (int to = 0; to < whole.hosts; ++to) {
          const std::vector<int> nodes = way(left, from, to);
          ASSERT_FALSE(nodes.empty());
          for (std::size_t at = 1; at < nodes.size(); ++at)
            EXPECT_NE(std::minmax({nodes[at - 1], nodes[at]}), std::minmax({wire.a, wire.b})) << network;
          const int inside = from == to ? 0 : whole.per_host > 1 ? 2 : 0;
          EXPECT_EQ(static_cast<int>(nodes.size()) - 1 + inside,
                    topology->distance(from * whole.per_host, to * whole.per_host))
              << left.wiring.topology;
        }
    }
  }
}

TEST(LabFailures, OneOfSeveralWires) {
  const NetworkFile file("host a b\nlink a b 3 x3\n");
  const Blueprint left = drawn(file.network(), {}, {.failed = {0, 2}, .avoided = {0, 2}});
  EXPECT_NE(left.wiring.topology.find("!a-b#3,a-b#1"), std::string::npos) << left.wiring.topology;
  EXPECT_EQ(left.nodes[0].routes[0].device, "to1-2");
  EXPECT_EQ(left.nodes[1].routes[0].device, "to0-2");
}

TEST(LabFailures, HostsAreNotCutOff) {
  for (const char* network : {"star:4", "star:4*2", "bus:3", "xgft:2;4,2;1,1"}) {
    const Wiring whole = parse_wiring(network);
    EXPECT_THROW(around(whole, {0}), Error) << network;
    const Blueprint lost = drawn(network, {}, {.failed = {0}});
    EXPECT_EQ(lost.wiring.topology, whole.topology) << "with --keep-routes";
  }
}

/// Classes of hosts whose messages went over a link before it was a detour stay, and new ones come beside them.
TEST(LabFailures, ClassesAreAddedAndStay) {
  const Blueprint before = drawn("ring:4");
  Changes changes = before.changes;
  changes.failed = changes.avoided = {0};  // 0-1
  const Blueprint after = drawn("ring:4", {}, changes);
  std::size_t added = 0;
  for (int node = 0; node < 4; ++node) {
    const auto& then = before.nodes[static_cast<std::size_t>(node)].shapers;
    const auto& now = after.nodes[static_cast<std::size_t>(node)].shapers;
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_TRUE(
          std::includes(now[i].sources.begin(), now[i].sources.end(), then[i].sources.begin(), then[i].sources.end()));
      added += now[i].sources.size() - then[i].sources.size();
    }
    const std::string batch = reshaping_batch(after, before, node);
    EXPECT_EQ(batch.find("qdisc del"), std::string::npos);
  }
  EXPECT_GT(added, 0u);
  const Blueprint again = drawn("ring:4", {}, {.sources = after.changes.sources});
  EXPECT_EQ(reshaping_batch(again, after, 0), "") << "restored, with the classes it has";
}

}  // namespace
}  // namespace quadrille::lab::routed_test
