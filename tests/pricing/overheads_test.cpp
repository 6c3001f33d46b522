// Overheads of processors in simulations: sums done by hand, on every network model.
#include <gtest/gtest.h>

#include "by_hand.hpp"
#include "listed.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/machine_file.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"

namespace quadrille::overhead_test {
namespace {

using testing::by_hand;
using testing::Listed;
using testing::networks;
using testing::request;
using testing::Rounds;

/// 2 to hand a message over, 3 to take one, latency 1, 0.25 a link, 0.5 a byte.
Machine with_overheads(Ports ports = Ports::all) {
  Machine m = by_hand(ports);
  m.overhead_send = 2, m.overhead_receive = 3;
  return m;
}

Timeline simulated(const std::string& topology, const Machine& machine,
                   const std::vector<std::vector<std::pair<Rank, Rank>>>& rounds, Bytes bytes,
                   const SimulateOptions& options) {
  const Spec spec = request(Collective::alltoall, topology, bytes);
  Rounds listed;
  for (const auto& round : rounds) {
    listed.emplace_back();
    for (const auto& [from, to] : round) listed.back().push_back({from, to, {{Buffer::in, to}}, {{Buffer::out, from}}});
  }
  const Shape shape{.ranks = spec.ranks(), .in = spec.ranks(), .out = spec.ranks(), .cut = {.bytes = bytes}};
  return simulate(spec, machine, Listed(shape, listed), options);
}

// One message of 8 bytes: 2 + 1 + 0.25 + 4 + 3.
TEST(Overheads, AMessageTakesBothItsEnds) {
  for (const Network n : networks)
    for (const Order o : simulated_orders())
      EXPECT_DOUBLE_EQ(simulated("ring:4", with_overheads(), {{{0, 1}}}, 8, {.order = o, .network = n}).makespan, 10.25)
          << to_string(n) << " " << to_string(o);
}

// Rank 0 hands over to 1, 2 and 3 at 2, 4 and 6; the last one arrives at 6 + 1 + 0.25 + 4, and is taken 3 later.
TEST(Overheads, ASenderHandsOverOneMessageAfterTheOther) {
  for (const Network n : networks)
    EXPECT_DOUBLE_EQ(simulated("crossbar:4", with_overheads(), {{{0, 1}, {0, 2}, {0, 3}}}, 8, {.network = n}).makespan,
                     14.25)
        << to_string(n);
}

// Ranks 1, 2 and 3 hand over at 2, all messages arrive at 7.25, and rank 0 takes them at 10.25, 13.25 and 16.25.
TEST(Overheads, AReceiverTakesOneMessageAfterTheOther) {
  for (const Network n : networks)
    EXPECT_DOUBLE_EQ(simulated("crossbar:4", with_overheads(), {{{1, 0}, {2, 0}, {3, 0}}}, 8, {.network = n}).makespan,
                     16.25)
        << to_string(n);
}

// A message for the second round comes at 7.25, while rank 1 waits for one of the first round. That takes two links,
// and comes at 7.5: taken at 10.5, the other one then, at 13.5.
TEST(Overheads, AMessageIsTakenInItsRound) {
  const std::vector<std::vector<std::pair<Rank, Rank>>> rounds{{{3, 1}}, {{0, 1}}};
  for (const Order o : {Order::dataflow, Order::eager})
    EXPECT_DOUBLE_EQ(
        simulated("mesh:4", with_overheads(), rounds, 8, {.order = o, .network = Network::cut_through}).makespan, 13.5)
        << to_string(o);
}

// A buffered message is done at its sender when its processor is: rank 0 hands over at 2 and, in the next round, at 4.
// One that is not buffered has left when its bytes are on the wire, at 6, and costs its receiver nothing.
TEST(Overheads, ShortMessagesAreBuffered) {
  Machine m = with_overheads();
  const std::vector<std::vector<std::pair<Rank, Rank>>> rounds{{{0, 1}}, {{0, 2}}};
  const SimulateOptions options{.network = Network::cut_through};
  EXPECT_DOUBLE_EQ(simulated("crossbar:4", m, rounds, 8, options).makespan, 4 + 1 + 0.25 + 4 + 3);
  m.eager_limit = 8;
  EXPECT_DOUBLE_EQ(simulated("crossbar:4", m, rounds, 8, options).makespan, 6 + 2 + 1 + 0.25 + 4);
}

// With one port the bytes of two messages follow one another, and their latencies do not.
TEST(Overheads, LatencyKeepsNoPortBusy) {
  Machine m = with_overheads(Ports::one);
  m.overhead_send = m.overhead_receive = 1;
  const SimulateOptions options{.network = Network::cut_through};
  // Handed over at 1 and 2; on the wire from 2 to 6 and from 6 to 10; taken a hop and an overhead later.
  EXPECT_DOUBLE_EQ(simulated("crossbar:4", m, {{{0, 1}, {0, 2}}}, 8, options).makespan, 10 + 0.25 + 1);
}

// The price of a round: its busiest rank's messages beyond the first cost the longer overhead.
TEST(Overheads, PricesChargeEveryMessageOfTheBusiestRank) {
  const Spec spec = request(Collective::alltoall, "crossbar:4", 8);
  const Machine m = with_overheads();
  const Built built = build(spec, m, parse_choice("alltoall_linear"));
  EXPECT_EQ(built.formula.further, 2);
  EXPECT_EQ(count(spec, m, *built.schedule).cost, built.formula);
  EXPECT_DOUBLE_EQ(seconds(built.formula, m, *spec.topology), 2 + 1 + 3 + 2 * 3 + 0.25 + 4);
}

// A star of 64 ranks cannot beat the greedy tree: who has the message sends it on every 2, and it takes 6.25 + 0.5.
TEST(Limit, OfABroadcastIsTheGreedyTree) {
  Machine m = with_overheads();
  m.switching = Switching::wormhole;
  const Spec spec = request(Collective::bcast, "crossbar:4", 1);
  // Reached at 6.25, 8.25 and 10.25 by the root.
  EXPECT_NEAR(limit(spec, m, Network::cut_through).time, 10.25, 1e-4);
}

/// The fastest simulated is no faster than the limit, whatever is asked.
void expect_a_limit(const Spec& spec, const Machine& m) {
  const Plan best = plan(spec, m, {.effort = Effort::simulate});
  ASSERT_TRUE(best.possible());
  EXPECT_GE(best.best().known(), best.bound.time) << to_text(spec);
}

// 64 KiB are too long to be buffered, so that their receiver spends nothing on them: no rank but 1 and 2 has any.
TEST(Limit, LooksAtAllRanksThatHaveDemands) {
  Spec spec = request(Collective::alltoallv, "star:8", 0);
  spec.demands = make_demands(8, {{1, 2, 65536}});
  expect_a_limit(checked(spec), load_machine("cluster"));
}

// One rank gets all there is: the others need nothing of anybody.
TEST(Limit, ReachesOnlyRanksThatHaveABlock) {
  Machine m = load_machine("cluster");
  m.overhead_send = 1e-5, m.overhead_receive = 0;
  Spec spec = request(Collective::reduce_scatter, "crossbar:8", 8);
  spec.offsets = std::make_shared<const std::vector<Bytes>>(std::vector<Bytes>{0, 8, 8, 8, 8, 8, 8, 8, 8});
  expect_a_limit(checked(spec), m);
}

// All goes to the middle of the mesh, over two links from the farthest rank.
TEST(Limit, CrossesTheLinksToRanksThatHaveABlock) {
  Machine m = testing::test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (const char* const network : {"mesh:4", "mesh:4:routes=balanced"}) {
    Spec spec = request(Collective::reduce_scatter, network, 8);
    spec.offsets = std::make_shared<const std::vector<Bytes>>(std::vector<Bytes>{0, 0, 0, 64, 64});
    EXPECT_EQ(farthest_apart(checked(spec)), 2) << network;
    expect_a_limit(checked(spec), m);
  }
}

// Ranks of one port, three of them: while a message is on its way its sender's port already sends the next one, so that
// they move more than one message at a time, though in rounds a pair of them is busy and the third waits.
TEST(Limit, LeavesPortsFreeWhileMessagesAreOnTheirWay) {
  int tried = 0;
  const auto check = [&](const Spec& spec, const Machine& m, const Algorithm& a) {
    for (const Params& params : a.variants(spec, m))
      for (const Order o : simulated_orders())
        for (const Network n : {Network::store_and_forward, Network::cut_through, Network::fluid}) {
          const Built built = build(spec, m, {&a, params});
          const Timeline played = simulate(spec, m, *built.schedule, {.order = o, .network = n});
          EXPECT_GE(played.makespan, limit(spec, m, n).time)
              << testing::command(spec, m, a, params) << ", " << to_string(n) << " " << to_string(o);
          ++tried;
        }
  };
  for (const Duplex duplex : {Duplex::half, Duplex::node_half})
    for (const double alpha : {0.1, 1., 4., 5., 30.})
      for (const char* topology : {"crossbar:3", "ring:3", "crossbar:5", "ring:5"})
        for (const Algorithm& a : algorithms()) {
          if (a.collective != Collective::alltoall && a.collective != Collective::allgather) continue;
          Machine m = with_overheads(Ports::one);
          m.switching = Switching::store_and_forward, m.duplex = duplex, m.alpha = alpha, m.overhead_send = 0;
          for (const Bytes eager_limit : {0, 1 << 20}) {
            m.eager_limit = eager_limit, m.overhead_receive = 0.01;
            const Spec spec = request(a.collective, topology, 8);
            if (a.illegal(spec, m, {}).empty()) check(spec, m, a);
          }
        }
  EXPECT_GT(tried, 0);
}

// Ranks 0, 1 and 2 in a ring, each with one port that sends or receives: in rounds one message at a time, and with half
// a port for each of three messages one and a half. No simulation is below the limit of its network.
TEST(Limit, SharesOfPortsMoveMoreThanPairsOfRanks) {
  Machine m = testing::test_machine(Ports::one, Duplex::half, Switching::circuit);
  m.alpha = 1, m.beta = 1, m.per_hop = 0, m.rho = 0, m.gamma = 0;
  const Spec spec = testing::request(Collective::reduce_scatter, "ring:3", 1200);
  const Built built = build(spec, m, parse_choice("reduce_scatter_rarest:chunks=4"));
  const Seconds priced = lower_bound(spec, m).time;
  EXPECT_NEAR(priced, 7200, 3);
  EXPECT_NEAR(limit(spec, m, Network::fluid).time, 4800, 3);
  const Timeline shared = simulate(spec, m, *built.schedule, {.order = Order::eager, .network = Network::fluid});
  EXPECT_LT(shared.makespan, priced);
  EXPECT_GE(shared.makespan, limit(spec, m, Network::fluid).time);
  EXPECT_GE(simulate(spec, m, *built.schedule, {.order = Order::eager, .network = Network::cut_through}).makespan,
            limit(spec, m, Network::cut_through).time);
}

}  // namespace
}  // namespace quadrille::overhead_test
