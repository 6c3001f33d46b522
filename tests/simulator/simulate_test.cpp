// Simulated schedules against prices, and against sums done by hand.
#include "quadrille/simulate.hpp"

#include <gtest/gtest.h>

#include "by_hand.hpp"
#include "listed.hpp"
#include "quadrille/price.hpp"
#include "settings.hpp"

namespace quadrille::simulate_test {
namespace {

using testing::by_hand;
using testing::Listed;
using testing::request;
using testing::Rounds;

constexpr Network networks[] = {Network::free, Network::store_and_forward, Network::cut_through, Network::circuit,
                                Network::fluid};

/// One round with these messages of `bytes` between ranks.
Seconds one_round(const std::string& topology, const Machine& machine, const std::vector<std::pair<Rank, Rank>>& pairs,
                  Bytes bytes, Network network, Order order = Order::dataflow) {
  const Spec spec = request(Collective::alltoall, topology, bytes);
  std::vector<Listed::Message> round;
  for (const auto& [from, to] : pairs) round.push_back({from, to, {{Buffer::in, to}}, {{Buffer::out, from}}});
  const Shape shape{.ranks = spec.ranks(), .in = spec.ranks(), .out = spec.ranks(), .cut = {.bytes = bytes}};
  return simulate(spec, machine, Listed(shape, Rounds{round}), {order, network}).makespan;
}

// Lockstep without contention is the price: every algorithm that claims one message a link, on every network model.
TEST(Simulate, LockstepIsThePriceWhereNothingCompetes) {
  int cases = 0;
  for (const Algorithm& a : algorithms())
    for (const std::string topology :
         {"hypercube:3", "ring:6", "crossbar:7", "torus:4x4", "torus:3x5", "mesh:3x4", "bus:5", "memory:6", "omega:3"})
      for (Machine machine : testing::test_machines()) {
        if (!testing::can_request(a.collective, topology)) continue;
        const Spec spec = request(a.collective, topology, 97);
        machine.circuit = CircuitCost::exact;
        if (!a.illegal(spec, machine, {}).empty()) continue;
        const Built built = build(spec, machine, {&a, {}});
        if (!built.claims.contention_free || !built.claims.port_free || !built.claims.exact) continue;
        SCOPED_TRACE(testing::command(spec, machine, a, built.choice.params));
        const Seconds price = seconds(built.formula, machine, *spec.topology);
        for (const Network network : networks) {
          if (network == Network::circuit && spec.topology->shared_medium()) continue;
          // A message that is stored on its way pays for every link; the price has it cross them all at once.
          if (network == Network::store_and_forward && built.formula.hops > built.formula.startups) continue;
          const Timeline lockstep = simulate(spec, machine, *built.schedule, {Order::lockstep, network});
          // A round that was searched for may have its longest way and its longest message at different ranks, and its
          // price has both.
          if (a.searched && built.formula.hops > built.formula.startups)
            EXPECT_LE(lockstep.makespan, price * (1 + 1e-9)) << to_string(network);
          else
            EXPECT_NEAR(lockstep.makespan, price, 1e-9 * price) << to_string(network);
          EXPECT_EQ(lockstep.messages > 0, built.formula.startups > 0);
        }
        const Timeline flow = simulate(spec, machine, *built.schedule, {Order::dataflow, Network::free});
        EXPECT_GT(flow.makespan, 0);
        ++cases;
      }
  EXPECT_GT(cases, 200);
}

// 0 -> 3 over links 0, 1, 2 and 1 -> 2 over link 1, 8 bytes each (4 s), per link 0.25, start-up 1.
// 1 -> 2 enters link 1 at 1 and leaves it at 5; it arrives at 5.25. 0 -> 3 enters link 0 at 1.
// Cut-through: at link 1 at 1.25, enters it at 5, link 2 at 5.25, arrives at 9.5.
// Store and forward: is wholly at link 1 at 5.25, when it is free, at link 2 at 9.5, arrives at 13.75.
// Free: 1 + 3 * 0.25 + 4 = 5.75.
// Circuit: 0 -> 3 asks for link 1 at 1.25, which 1 -> 2 took at 1 and keeps until 5.25; then 2 * 0.25 + 4: 9.75.
TEST(Simulate, TwoMessagesOverOneLink) {
  const Machine m = by_hand(Ports::all, Duplex::full);
  const auto time = [&](Network n) { return one_round("mesh:4", m, {{0, 3}, {1, 2}}, 8, n); };
  EXPECT_DOUBLE_EQ(time(Network::free), 5.75);
  EXPECT_DOUBLE_EQ(time(Network::cut_through), 9.5);
  EXPECT_DOUBLE_EQ(time(Network::store_and_forward), 13.75);
  EXPECT_DOUBLE_EQ(time(Network::circuit), 9.75);
}

// Ranks 0 and 1 swap over one wire: side by side in 1 + 0.25 + 4 on full duplex. On half duplex the second one enters
// when the first has left the wire: at 5, and arrives at 9.25; a circuit gives the wire back at 5.25: 9.5.
TEST(Simulate, AWireCarriesBothWaysOnlyInFullDuplex) {
  for (const Network n : {Network::cut_through, Network::store_and_forward, Network::circuit}) {
    const auto time = [&](Duplex d) { return one_round("mesh:2", by_hand(Ports::all, d), {{0, 1}, {1, 0}}, 8, n); };
    EXPECT_DOUBLE_EQ(time(Duplex::full), 5.25);
    EXPECT_DOUBLE_EQ(time(Duplex::half), n == Network::circuit ? 9.5 : 9.25);
  }
}

// One port: three messages into rank 0 of a crossbar come one after the other, and the start-up of each keeps the port
// busy, too, as prices count: 3 * (1 + 0.25 + 4).
TEST(Simulate, APortTakesOneMessageAfterTheOther) {
  const Machine m = by_hand(Ports::one, Duplex::full);
  EXPECT_DOUBLE_EQ(one_round("crossbar:4", m, {{1, 0}, {2, 0}, {3, 0}}, 8, Network::free), 3 * 5.25);
}

// On a line 0 -> 1 -> 2 -> 3 a message of 10 s passes 0 -> 1 while 2 -> 3 has nothing to wait for: in dataflow rank 3
// is done after its own two rounds, in lockstep everybody waits for the slowest message of each round.
TEST(Simulate, DataflowNeverWaitsForOthersRounds) {
  Machine m = by_hand(Ports::all, Duplex::full);
  m.per_hop = 0;
  for (const char* topology : {"ring:9", "torus:4x4", "hypercube:4"})
    for (const Bytes bytes : {1, 1000}) {
      const Spec spec = request(Collective::bcast, topology, bytes);
      const Built built = build(spec, m, parse_choice("bcast_pipelined"));
      const Timeline lockstep = simulate(spec, m, *built.schedule, {Order::lockstep, Network::cut_through});
      const Timeline flow = simulate(spec, m, *built.schedule, {Order::dataflow, Network::cut_through});
      EXPECT_LE(flow.makespan, lockstep.makespan * (1 + 1e-12)) << topology;
      EXPECT_EQ(flow.messages, lockstep.messages);
      EXPECT_EQ(simulate(spec, m, *built.schedule, {Order::dataflow, Network::cut_through}).makespan, flow.makespan);
    }
}

// The lines of TwoMessagesOverOneLink on circuits, 9.75 in all. Just then it is complete; a moment less is not enough,
// and what is reported is a time that the run does not beat.
TEST(Simulate, StopsOnceTheDeadlineHasPassed) {
  const Machine m = by_hand(Ports::all, Duplex::full);
  const Spec spec = request(Collective::alltoall, "mesh:4", 8);
  const Shape shape{.ranks = 4, .in = 4, .out = 4, .cut = {.bytes = 8}};
  const Listed both(
      shape, Rounds{{{0, 3, {{Buffer::in, 3}}, {{Buffer::out, 0}}}, {1, 2, {{Buffer::in, 2}}, {{Buffer::out, 1}}}}});
  for (const Order order : simulated_orders()) {
    const auto run = [&](Seconds deadline) {
      return simulate(spec, m, both, {.order = order, .network = Network::circuit, .deadline = deadline});
    };
    EXPECT_TRUE(run(9.75).complete);
    EXPECT_DOUBLE_EQ(run(9.75).makespan, 9.75);
    for (const Seconds deadline : {0.0, 2.0, 5.25, 9.7}) {
      EXPECT_FALSE(run(deadline).complete) << deadline;
      EXPECT_GT(run(deadline).makespan, deadline);
      EXPECT_LE(run(deadline).makespan, 9.75);
    }
  }
}

// Every rank of a one-way round of four sends two ranks on: each circuit holds its first link and waits for the next.
TEST(Simulate, ACircleOfCircuitsIsNamed) {
  const Machine m = by_hand(Ports::all, Duplex::full);
  try {
    one_round("ring:4", m, {{0, 2}, {1, 3}, {2, 0}, {3, 1}}, 8, Network::circuit);
    FAIL() << "the circle was not seen";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::illegal);
    for (const std::string part : {"0->2", "1->3", "2->0", "3->1", "waits for link"})
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

// Two rows, a circle in each: named is that of rank 0, which hands its message over first.
TEST(Simulate, OfSeveralCirclesTheFirstIsNamed) {
  const Machine m = by_hand(Ports::all, Duplex::full);
  try {
    one_round("torus:2x4", m, {{4, 6}, {5, 7}, {6, 4}, {7, 5}, {0, 2}, {1, 3}, {2, 0}, {3, 1}}, 8, Network::circuit);
    FAIL() << "no circle was seen";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("stop: the message 0->2 "), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace quadrille::simulate_test
