// What a watched simulation tells, and where its time goes.
#include "quadrille/timeline.hpp"

#include <gtest/gtest.h>

#include <map>

#include "by_hand.hpp"
#include "play.hpp"
#include "sampled.hpp"
#include "watched.hpp"

namespace quadrille::timeline_test {
namespace {

using testing::by_hand;
using testing::networks;
using testing::Play;
using testing::request;
using testing::watch_checked;

void expect_parts(const TimeParts& parts, Seconds start_up, Seconds hops, Seconds wire, Seconds port, Seconds link) {
  EXPECT_DOUBLE_EQ(parts.start_up, start_up);
  EXPECT_DOUBLE_EQ(parts.hops, hops);
  EXPECT_DOUBLE_EQ(parts.wire, wire);
  EXPECT_DOUBLE_EQ(parts.port, port);
  EXPECT_DOUBLE_EQ(parts.link, link);
}

// Every algorithm on every network model: each message is told of once, in time, its parts add up, and so does the
// chain that the run's length is made of. Being watched changes no bit.
TEST(Watched, EveryRunAddsUp) {
  int cases = 0;
  std::vector<Machine> machines{testing::test_machine(Ports::one, Duplex::half, Switching::store_and_forward),
                                testing::test_machine(Ports::all, Duplex::full, Switching::circuit)};
  for (const Algorithm& a : algorithms())
    for (const std::string topology :
         {"hypercube:3", "ring:6", "crossbar:5", "torus:3x5", "bus:5", "memory:4", "omega:2"})
      for (Machine& machine : machines) {
        if (!testing::can_request(a.collective, topology)) continue;
        machine.shared = 2;
        const Spec spec = request(a.collective, topology, 97);
        if (!a.illegal(spec, machine, {}).empty()) continue;
        const Built built = build(spec, machine, {&a, {}});
        for (const Network network : networks)
          for (const Order order : simulated_orders()) {
            if (network == Network::circuit && spec.topology->shared_medium()) continue;
            const std::string what = testing::command(spec, machine, a, built.choice.params) + " " +
                                     std::string(to_string(network)) + " " + std::string(to_string(order));
            SCOPED_TRACE(what);
            if (!testing::sampled(what)) continue;
            cases += watch_checked(spec, machine, *built.schedule, {.order = order, .network = network}) ? 1 : 0;
          }
      }
  EXPECT_GT(cases, testing::sanitized ? 100 : 1000);
}

// 0 -> 3 over links 0, 1, 2 of a line and 1 -> 2 over link 1, as in Simulate.TwoMessagesOverOneLink. Start-up 1 and
// three hops of 0.25 are paid everywhere, and the wire's 4 s once, stored and forwarded three times. Cut-through waits
// for link 1 from 1.25 to 5, a circuit to 5.25; it keeps link 0 meanwhile, from 1 to 9.75. Fluid: 1 -> 2 flows alone
// from 1.25 to 1.75 (1 B), both share from then on, 1 B/s each, until its 7 B are through at 8.75; the last byte takes
// 0.5: 3.5 s more than alone.
TEST(Watched, TwoMessagesOverOneLink) {
  const Play play("mesh:4", {{{0, 3}, {1, 2}}});
  const std::map<Network, std::pair<Seconds, Seconds>> wire_and_link{{Network::free, {4, 0}},
                                                                     {Network::store_and_forward, {12, 0}},
                                                                     {Network::cut_through, {4, 3.75}},
                                                                     {Network::circuit, {4, 4}},
                                                                     {Network::fluid, {4, 3.5}}};
  for (const auto& [network, expected] : wire_and_link)
    for (const Order order : simulated_orders()) {
      SCOPED_TRACE(to_string(network));
      const Audit audit = play.audit(by_hand(), {.order = order, .network = network});
      expect_parts(audit.critical, 1, 0.75, expected.first, 0, expected.second);
      EXPECT_DOUBLE_EQ(audit.makespan, 1.75 + expected.first + expected.second);
      ASSERT_EQ(audit.path.size(), 1U);
      EXPECT_EQ(audit.path[0].from, 0);
      EXPECT_EQ(audit.path[0].to, 3);
      EXPECT_EQ(audit.busiest_port, -1);
      if (network == Network::free) continue;
      ASSERT_EQ(play.spec.topology->name(2), "1->2");
      const auto& load = audit.links[2];
      EXPECT_EQ(load.messages, 2);
      EXPECT_EQ(audit.busiest, network == Network::circuit ? 0 : 2);
      if (network == Network::circuit) {
        EXPECT_DOUBLE_EQ(audit.links[0].busy, 8.75);
        EXPECT_DOUBLE_EQ(load.busy, 8.75);
        EXPECT_DOUBLE_EQ(load.queued, 4);
      }
      if (network == Network::cut_through) {
        EXPECT_DOUBLE_EQ(load.busy, 8);
        EXPECT_DOUBLE_EQ(load.queued, 3.75);
        EXPECT_DOUBLE_EQ(audit.links[0].busy, 4);
      }
    }
}

// On a half-duplex line in model W 0 -> 3 and 1 -> 2 are requested at 1, and the first one has the lower rank: it holds
// the wires from 1 to 5.75, and the other one goes from then to 10, 4.75 late. Then 3 -> 0 and 2 -> 1: 0 and 3 are
// ready at 6.75, the middle wire at 10: until 14.75. 1 and 2 are ready at 11, and wait 3.75: until 19.
TEST(Watched, ModelWWaitsForBothEnds) {
  const Play play("mesh:4", {{{0, 3}, {1, 2}}, {{3, 0}, {2, 1}}});
  const Audit audit = play.audit(by_hand(Ports::all, Duplex::half), {.network = Network::wormhole});
  EXPECT_DOUBLE_EQ(audit.makespan, 19);
  expect_parts(audit.critical, 2, 0.5, 8, 0, 8.5);
  const Play late("mesh:4", {{{0, 1}}, {{2, 1}}});
  // 2 is ready for its message to 1 at 1, which takes its first one until 5.25 and is ready at 6.25.
  expect_parts(late.audit(by_hand(), {.network = Network::wormhole}).critical, 1, 0.25, 4, 0, 0);
  EXPECT_DOUBLE_EQ(late.audit(by_hand(), {.network = Network::wormhole}).critical.peer, 5.25);
}

// On a line with one port, rank 0 sends to 1, 2 and 3, in this order: each keeps the port for 1 + 0.25 + 4, so the last
// one waits 10.5 and takes 1 + 0.75 + 4. Rank 0's port is busy until it has left: 15.75.
TEST(Watched, APortIsGivenOnWhenAMessageHasLeft) {
  const Play play("mesh:4", {{{0, 1}, {0, 2}, {0, 3}}});
  for (const Network network : {Network::cut_through, Network::free}) {
    const Audit audit = play.audit(by_hand(Ports::one), {.network = network});
    EXPECT_DOUBLE_EQ(audit.critical.port, network == Network::free ? 10.75 : 10.5);  // free: all hops pass the port
    if (network == Network::free) continue;
    EXPECT_DOUBLE_EQ(audit.makespan, 16.25);
    EXPECT_EQ(audit.busiest_port, 0);
    EXPECT_DOUBLE_EQ(audit.busiest_port_time, 15.75);
  }
}

// Fluid, a port that sends or receives: 1 -> 2 and 0 -> 1 flow from 1.25 on and share rank 1's port, one byte a second
// each, until 9.25. The port has been busy all that time, not longer.
TEST(Watched, APortThatBothDirectionsShareIsBusyOnce) {
  const Play play("mesh:3", {{{1, 2}}, {{0, 1}}});
  const Audit audit = play.audit(by_hand(Ports::one, Duplex::half), {.network = Network::fluid});
  EXPECT_DOUBLE_EQ(audit.makespan, 9.25);
  EXPECT_DOUBLE_EQ(audit.ranks[1].sending, 9.25);
  EXPECT_DOUBLE_EQ(audit.ranks[1].receiving, 4);
  EXPECT_DOUBLE_EQ(audit.busiest_port_time, 9.25);
}

// Fluid: 0 -> 1 flows from 1.25, 2 -> 1 a start-up later, and both are through by 9.25. The port has received for the 4
// s that each takes alone, not for as long as both were under way.
TEST(Watched, APortThatMessagesShareIsBusyOnce) {
  const Play play("mesh:3", {{{0, 1}, {2, 1}}});
  const Audit audit = play.audit(by_hand(Ports::one), {.network = Network::fluid});
  EXPECT_DOUBLE_EQ(audit.makespan, 9.25);
  EXPECT_DOUBLE_EQ(audit.ranks[1].receiving, 8);
  EXPECT_DOUBLE_EQ(audit.busiest_port_time, 9.25);
}

// On a ring of four, 0 -> 1, then 1 -> 2, then 2 -> 3, and 3 -> 2 at the start: 5.25 each. Rank 2 waits 5.25 for 3 and
// as long for 1; rank 3, whose own message has left at 5.25, waits from then to the end; rank 1 waits for 0.
TEST(Watched, TheCriticalPathOnARing) {
  const Play play("ring:4", {{{0, 1}, {3, 2}}, {{1, 2}}, {{2, 3}}});
  for (const Network network : networks) {
    SCOPED_TRACE(to_string(network));
    const Audit audit = play.audit(by_hand(), {.network = network});
    EXPECT_DOUBLE_EQ(audit.makespan, 15.75);
    expect_parts(audit.critical, 3, 0.75, 12, 0, 0);
    ASSERT_EQ(audit.path.size(), 3U);
    for (int i = 0; i < 3; ++i) {
      const Audit::Step& step = audit.path[static_cast<std::size_t>(i)];
      EXPECT_EQ(step.from, i);
      EXPECT_EQ(step.to, i + 1);
      EXPECT_EQ(step.round, i);
      EXPECT_DOUBLE_EQ(step.begin, 5.25 * i);
      EXPECT_DOUBLE_EQ(step.end, 5.25 * (i + 1));
    }
    const Seconds waiting[] = {0, 5.25, 10.5, 10.5};
    for (std::size_t r = 0; r < 4; ++r) EXPECT_DOUBLE_EQ(audit.ranks[r].waiting, waiting[r]) << r;
    ASSERT_EQ(audit.rounds.size(), 3U);
    EXPECT_EQ(audit.rounds[0].messages, 2);
    EXPECT_DOUBLE_EQ(audit.rounds[2].asked, 10.5);
    EXPECT_DOUBLE_EQ(audit.rounds[2].arrived, 15.75);
    const Audit short_of_memory = play.audit(by_hand(), {.network = network}, 2);
    EXPECT_FALSE(short_of_memory.path_kept);
    EXPECT_DOUBLE_EQ(short_of_memory.critical.total(), 15.75);
  }
}

}  // namespace
}  // namespace quadrille::timeline_test
