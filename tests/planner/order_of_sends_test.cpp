// In which order executors send: that of data, or of rounds where messages of later rounds would take the links that
// others wait for.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <sstream>
#include <thread>

#include "executor/run_threads.hpp"
#include "program/program.hpp"
#include "quadrille/export.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/run.hpp"
#include "run_schedules.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::sending_test {
namespace {

using testing::request;
using testing::schedule_of;
using testing::Written;

/// 100 Gbit/s links that messages share, and 0.4 us of the processor at either end.
Machine of_today(Ports ports = Ports::all) {
  Machine m;
  m.name = "today";
  m.ports = ports, m.duplex = Duplex::full, m.switching = Switching::wormhole, m.circuit = CircuitCost::exact;
  m.alpha = 0, m.overhead_send = m.overhead_receive = 0.4e-6, m.beta = 0.08e-9, m.per_hop = 0.1e-6;
  return m;
}

Seconds time(const Spec& spec, const Machine& m, const Choice& choice, Order order, Network network) {
  return simulate(spec, m, *build(spec, m, choice).schedule, {order, network}).makespan;
}

// The root's messages to the halves, quarters ... of all ranks share its links when they leave at once: 97 us, and 66
// one after the other. A broadcast along axes in packets is faster by data.
TEST(Sending, ABroadcastByHalvingGoesByRounds) {
  const Spec spec = request(Collective::bcast, "torus:4x4x4", Bytes{128} << 10);
  const Machine m = of_today();
  const Choice halving = parse_choice("bcast_halving"), axes = parse_choice("bcast_axes");
  const Sending sending = order_to_perform(spec, m, halving);
  EXPECT_EQ(sending.order, Order::dataflow);
  EXPECT_EQ(sending.network, Network::fluid);
  EXPECT_DOUBLE_EQ(sending.dataflow.time, time(spec, m, halving, Order::dataflow, Network::fluid));
  EXPECT_GT(sending.eager.time, 1.4 * sending.dataflow.time);
  EXPECT_EQ(order_to_perform(spec, m, axes).order, Order::eager);
  EXPECT_GT(time(spec, m, axes, Order::dataflow, Network::fluid), 1.1 * order_to_perform(spec, m, axes).eager.time);
}

// Larger than what may be played: data.
TEST(Sending, WhatIsTooLargeToPlayGoesByData) {
  const Spec spec = request(Collective::bcast, "torus:4x4x4", Bytes{128} << 10);
  const Sending sending = order_to_perform(spec, of_today(), parse_choice("bcast_halving"), {}, 62);
  EXPECT_EQ(sending.order, Order::eager);
  EXPECT_EQ(sending.eager.how, Timing::How::too_large);
}

// Rounds that were searched for have planned which chunk goes first: by data a rank's own go before those that pass by.
TEST(Sending, WhatWasSearchedForGoesByRoundsWhereItIsTooLargeToPlay) {
  const Spec spec = request(Collective::transpose, "mesh:4x4", Bytes{1} << 20);
  const Choice ways = parse_choice("transpose_ways:chunks=16");
  const Sending unplayed = order_to_perform(spec, of_today(), ways, {}, 10);
  EXPECT_EQ(unplayed.order, Order::dataflow);
  EXPECT_EQ(unplayed.dataflow.how, Timing::How::too_large);
  const Sending played = order_to_perform(spec, of_today(), ways);
  EXPECT_EQ(played.order, Order::dataflow);
  EXPECT_GT(played.eager.time, 1.2 * played.dataflow.time);
}

/// The order chosen takes at most 1.02 times as long as the better one, and both are chosen where they should be.
struct Tally {
  int cases = 0, by_rounds = 0, better_by_data = 0;
};
void expect_the_better_order(const Machine& machine, const std::string& topology, Bytes bytes, Tally& tally) {
  for (const Algorithm& a : algorithms()) {
    if (!testing::can_request(a.collective, topology)) continue;
    const Spec spec = request(a.collective, topology, bytes);
    if (!testing::sampled(testing::command(spec, machine, a, {}), 4) || !a.illegal(spec, machine, {}).empty()) continue;
    const Choice choice = build(spec, machine, {&a, {}}).choice;
    const Network network = network_to_perform(machine, *spec.topology);
    std::map<Order, Seconds> times;
    try {
      for (const Order order : {Order::eager, Order::dataflow})
        times[order] = time(spec, machine, choice, order, network);
    } catch (const Error&) {  // circuits may wait for each other in a circle
      continue;
    }
    const Order order = order_to_perform(spec, machine, choice).order;
    EXPECT_LE(times[order], 1.0205 * std::min(times[Order::eager], times[Order::dataflow]))
        << testing::command(spec, machine, a, choice.params);
    ++tally.cases;
    tally.by_rounds += order == Order::dataflow ? 1 : 0;
    tally.better_by_data += times[Order::eager] < 0.9 * times[Order::dataflow] ? 1 : 0;
  }
}

TEST(Sending, TheOrderIsTheBetterOne) {
  Tally tally;
  for (const std::string topology : {"hypercube:3", "ring:8", "torus:3x4", "crossbar:7"})
    for (const Machine& machine : {of_today(), of_today(Ports::one), load_machine("sp2"), load_machine("ipsc860")})
      for (const Bytes bytes : {100, 100'000}) expect_the_better_order(machine, topology, bytes, tally);
  EXPECT_GT(tally.cases, testing::sanitized ? 150 : 600);
  EXPECT_GT(tally.by_rounds, testing::sanitized ? 5 : 30);
  EXPECT_GT(tally.better_by_data, testing::sanitized ? 10 : 60);
}

// Rank 0 has a message for 1 in round 0 and one for 2 in round 1; 1 comes late. In the order of data 2 has its message
// long before; in that of rounds it gets it when 1 has taken the other one.
TEST(Sending, InTheOrderOfRoundsAMessageWaitsForThoseOfEarlierRounds) {
  const Spec spec = request(Collective::bcast, "crossbar:3", 1000);
  const Written schedule({.ranks = 3, .rounds = 2, .out = 1, .cut = {.bytes = 1000}},
                         {{0, 0, 1, Buffer::out, Buffer::out}, {1, 0, 2, Buffer::out, Buffer::out}});
  for (const Order order : {Order::eager, Order::dataflow}) {
    std::atomic<bool> first_is_late{true}, second_came_first{false};
    const executor::Watch watch{
        [&](Rank r, Round) {
          if (r != 1 || !first_is_late) return;
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          first_is_late = false;
        },
        [&](Rank r, Round) { second_came_first = second_came_first || (r == 2 && first_is_late); }};
    EXPECT_EQ(run_threads(spec, schedule, {.repetitions = 1, .order = order}, watch).checked, 3000);
    EXPECT_EQ(second_came_first, order == Order::eager) << to_string(order);
  }
}

// The greedy tree lists the receiver of the largest part first, and so it is sent.
TEST(Sending, InTheOrderOfRoundsARoundIsSentAsItIsListed) {
  const Spec spec = request(Collective::bcast, "crossbar:16", 64);
  const Built built = build(spec, of_today(), parse_choice("bcast_logp:delay=1"));
  const program::Program program =
      program::Compiler(spec, *built.schedule).compile(0, true, Bytes{1} << 30, Order::dataflow);
  Summary summary;
  std::vector<Rank> listed, offered;
  for (const Summary::Message& m : summary.of(*built.schedule, 0, 0))
    if (m.kind == Kind::send) listed.push_back(m.peer);
  for (const std::size_t n : program.offered(0)) offered.push_back(program.sends[n].peer);
  EXPECT_EQ(offered, listed);
  EXPECT_GT(listed.front(), listed.back());
}

// All algorithms, on threads: the same bytes arrive.
TEST(Sending, EveryAlgorithmRunsInTheOrderOfRounds) {
  int cases = 0;
  for (const Algorithm& a : algorithms())
    for (const std::string topology : {"hypercube:3", "torus:3x3", "crossbar:5", "memory:4"}) {
      if (!testing::can_request(a.collective, topology)) continue;
      const Spec spec = request(a.collective, topology, 1000);
      for (const Machine& machine : testing::machines_on(*spec.topology)) {
        if (!a.illegal(spec, machine, {}).empty()) continue;
        SCOPED_TRACE(testing::command(spec, machine, a, {}));
        const Built built = build(spec, machine, {&a, {}});
        EXPECT_GT(run_threads(spec, *built.schedule, {.repetitions = 2, .order = Order::dataflow}).checked, 0);
        ++cases;
        break;
      }
    }
  EXPECT_GT(cases, 100);
}

TEST(Sending, NoExecutorKnowsWhenOthersHaveEndedARound) {
  const Spec spec = request(Collective::bcast, "ring:3", 10);
  EXPECT_THROW(run_threads(spec, *schedule_of(spec, "bcast_chain"), {.order = Order::lockstep}), Error);
}

/// The lines of one rank of a trace, without its number.
std::vector<std::string> lines_of(const std::string& trace, Rank rank) {
  std::vector<std::string> lines;
  std::istringstream in(trace);
  const std::string begin = std::to_string(rank) + " ";
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begin)) lines.push_back(line.substr(begin.size()));
  return lines;
}

// Two packets down a chain of three: 1 sends each on when it came, and waits for nothing it has sent before the end.
TEST(Sending, ATraceInTheOrderOfData) {
  const Spec spec = request(Collective::bcast, "ring:3", 100);
  const SchedulePtr schedule = schedule_of(spec, "bcast_chain:packets=2");
  std::string trace;
  const auto write = [&](std::string_view text) { trace += text; };
  EXPECT_EQ(write_smpi_trace(spec, *schedule, write, Order::eager), 4);
  EXPECT_EQ(lines_of(trace, 0),
            (std::vector<std::string>{"init", "isend 1 0 50 6", "isend 1 1 50 6", "waitall", "finalize"}));
  EXPECT_EQ(lines_of(trace, 1),
            (std::vector<std::string>{"init", "irecv 0 0 50 6", "irecv 0 1 50 6", "wait 0 1 0", "isend 2 1 50 6",
                                      "wait 0 1 1", "isend 2 2 50 6", "waitall", "finalize"}));
  EXPECT_EQ(lines_of(trace, 2), (std::vector<std::string>{"init", "irecv 1 1 50 6", "irecv 1 2 50 6", "wait 1 2 1",
                                                          "wait 1 2 2", "finalize"}));
}

// By rounds it waits for what it has sent, too, before it sends on; receives are posted as early.
TEST(Sending, ATraceInTheOrderOfRounds) {
  const Spec spec = request(Collective::bcast, "ring:3", 100);
  std::string trace;
  write_smpi_trace(
      spec, *schedule_of(spec, "bcast_chain:packets=2"), [&](std::string_view text) { trace += text; },
      Order::dataflow);
  EXPECT_EQ(lines_of(trace, 0), (std::vector<std::string>{"init", "isend 1 0 50 6", "wait 0 1 0", "isend 1 1 50 6",
                                                          "wait 0 1 1", "finalize"}));
  EXPECT_EQ(lines_of(trace, 1),
            (std::vector<std::string>{"init", "irecv 0 0 50 6", "irecv 0 1 50 6", "wait 0 1 0", "isend 2 1 50 6",
                                      "wait 0 1 1", "wait 1 2 1", "isend 2 2 50 6", "wait 1 2 2", "finalize"}));
}

// Barriers stand before the round that waits for them.
TEST(Sending, ATraceHasBarriersWhereTheScheduleHasThem) {
  const Spec spec = request(Collective::alltoall, "hypercube:2", 100);
  const Choice choice = parse_choice("alltoall_mce:phases=1,1");
  const SchedulePtr schedule = build(spec, load_machine("ipsc860"), choice).schedule;
  for (const Order order : {Order::eager, Order::dataflow}) {
    std::string trace;
    write_smpi_trace(
        spec, *schedule, [&](std::string_view text) { trace += text; }, order);
    const std::vector<std::string> lines = lines_of(trace, 0);
    const auto barriers = std::count(lines.begin(), lines.end(), "barrier");
    Round expected = 0;
    for (Round t = 0; t < schedule->shape().rounds; ++t) expected += schedule->barrier(t) ? 1 : 0;
    EXPECT_GT(expected, 0);
    EXPECT_EQ(barriers, expected);
    EXPECT_NE(lines[lines.size() - 2], "barrier");
  }
}

// Short messages of one round are taken as they come, and nothing else is posted before. Long ones are asked for early.
TEST(Sending, ATraceTakesMessagesOfARoundAsTheyCome) {
  const auto first_rank = [](Bytes bytes) {
    const Spec spec = request(Collective::allgather, "crossbar:9", bytes);
    std::string trace;
    write_smpi_trace(
        spec, *schedule_of(spec, "allgather_radix:radix=3"), [&](std::string_view text) { trace += text; },
        Order::eager);
    return lines_of(trace, 0);
  };
  EXPECT_EQ(first_rank(10), (std::vector<std::string>{"init", "irecv 1 0 10 6", "irecv 2 0 10 6", "isend 1 0 10 6",
                                                      "isend 2 0 10 6", "waitall", "irecv 3 1 30 6", "irecv 6 1 30 6",
                                                      "isend 3 1 30 6", "isend 6 1 30 6", "waitall", "finalize"}));
  EXPECT_EQ(first_rank(16384),
            (std::vector<std::string>{"init", "irecv 1 0 16384 6", "irecv 2 0 16384 6", "irecv 3 1 49152 6",
                                      "irecv 6 1 49152 6", "isend 1 0 16384 6", "isend 2 0 16384 6", "wait 1 0 0",
                                      "wait 2 0 0", "isend 3 1 49152 6", "isend 6 1 49152 6", "waitall", "finalize"}));
}

}  // namespace
}  // namespace quadrille::sending_test
