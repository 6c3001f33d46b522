// What links cost where they differ: widths, kinds, latencies and start-ups, against sums done by hand.
#include "cost/link_costs.hpp"

#include <gtest/gtest.h>

#include "by_hand.hpp"
#include "quadrille/simulate.hpp"
#include "settings.hpp"

namespace quadrille::link_costs_test {
namespace {

std::vector<Link> route(const Topology& t, Rank from, Rank to) {
  std::vector<Link> path;
  t.route(from, to, path);
  return path;
}

Machine with_memory(Machine machine) {
  machine.links.push_back({.kind = "memory", .alpha = 0.5, .beta = 2, .latency = 0.125});
  return machine;
}

TEST(LinkCosts, OfAlikeLinksAreTheMachines) {
  const TopologyPtr ring = parse_topology("ring:8");
  const cost::LinkCosts costs(with_memory(testing::by_hand(Ports::all, Duplex::full)), *ring);
  EXPECT_TRUE(costs.alike());
  EXPECT_EQ(costs.as_plain(77, 3), 77);
  EXPECT_EQ(costs.delay(route(*ring, 0, 4)), 0);
}

TEST(LinkCosts, OfAWideLinkAreShared) {
  const TopologyPtr tree = parse_topology("fattree:4/2");
  const cost::LinkCosts costs(testing::by_hand(Ports::all, Duplex::full), *tree);
  const std::vector<Link> far = route(*tree, 0, 15);
  ASSERT_EQ(far.size(), 6U);
  EXPECT_FALSE(costs.alike());
  EXPECT_EQ(costs.as_plain(101, far[0]), 51);
  EXPECT_EQ(costs.as_plain(101, far[2]), 101);
  EXPECT_EQ(costs.least(), 0.5);
  EXPECT_EQ(costs.delay(far), 0);
}

// alpha 1 for all but memory, 0.5; a latency of 0.125 for each link of a memory.
TEST(LinkCosts, OfKindsAddToAMessage) {
  const TopologyPtr nodes = parse_topology("torus:2x2*2");
  const Machine machine = with_memory(testing::by_hand(Ports::all, Duplex::full));
  const cost::LinkCosts costs(machine, *nodes);
  EXPECT_DOUBLE_EQ(costs.delay(route(*nodes, 0, 1)), -0.5 + 0.25);
  EXPECT_DOUBLE_EQ(costs.delay(route(*nodes, 0, 2)), 0.25);
  EXPECT_DOUBLE_EQ(costs.least_alpha(), 0.5);
  EXPECT_EQ(costs.as_plain(10, route(*nodes, 0, 1).front()), 40);  // 2 in place of 0.5 for a byte
}

/// One message of 8 bytes, 4 s on a link of width 1.
Seconds alone(const std::string& network, Rank from, Rank to, const Machine& machine, Network model) {
  Spec spec = testing::request(Collective::sendrecv, network, 8);
  spec.root = from, spec.target = to;
  const Built built = build(spec, machine, {&find_algorithm("sendrecv_direct"), {}});
  return simulate(spec, machine, *built.schedule, {Order::dataflow, model}).makespan;
}

// Through the narrow core: start-up 1, six links at 0.25, 4 s of the wire. Below one switch: two links of width 2.
TEST(LinkCosts, AreWhatASimulatedMessageTakes) {
  Machine machine = testing::by_hand(Ports::all, Duplex::full);
  machine.switching = Switching::wormhole;
  for (const Network model : {Network::cut_through, Network::fluid, Network::circuit}) {
    SCOPED_TRACE(to_string(model));
    EXPECT_DOUBLE_EQ(alone("fattree:4/2", 0, 15, machine, model), 1 + 6 * 0.25 + 4);
    EXPECT_DOUBLE_EQ(alone("fattree:4/2", 0, 1, machine, model), 1 + 2 * 0.25 + 2);
    EXPECT_DOUBLE_EQ(alone("torus:2x2*2", 0, 1, with_memory(machine), model), 0.5 + 2 * (0.25 + 0.125) + 16);
    EXPECT_DOUBLE_EQ(alone("torus:2x2*2", 0, 2, with_memory(machine), model), 1 + 3 * 0.25 + 2 * 0.125 + 16);
  }
}

TEST(LinkCosts, AreThoseOfTheNetworkWhereItStatesARate) {
  const TopologyPtr box = parse_topology("dgx-a100:2");
  if (box->rate() == 0) GTEST_SKIP() << "no rate";
  Machine machine = load_machine("cluster");
  const cost::LinkCosts slow(machine, *box);
  machine.beta *= 10;
  const cost::LinkCosts fast(machine, *box);
  EXPECT_NEAR(fast.slowness(0) * 10, slow.slowness(0), 1e-9);
}

}  // namespace
}  // namespace quadrille::link_costs_test
