// Whole applications: what traces say, and how long they take on networks, worked out by hand.
#include "interchange/application.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interchange/goal.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/export.hpp"
#include "quadrille/machine.hpp"
#include "simulator/replay.hpp"

namespace quadrille::application_test {
namespace {

using interchange::Application;
using interchange::read_application;

/// 1 us a message, 1 ns a byte, nothing else.
Machine simple() {
  Machine machine = load_machine("unit");
  machine.alpha = 1e-6, machine.beta = 1e-9, machine.per_hop = 0;
  machine.ports = Ports::all, machine.duplex = Duplex::full, machine.switching = Switching::wormhole;
  return machine;
}

Seconds time(const std::string& text, const char* network, const Machine& machine, Network model = Network::fluid) {
  const Application app = read_application(text, "test");
  return simulator::replay(app, parse_topology(network), machine, {.network = model}).line.makespan;
}

std::string refusal(const std::string& text) {
  try {
    const Application app = read_application(text, "test");
    simulator::replay(app, parse_topology(fmt::format("crossbar:{}", app.ranks)), simple(),
                      {.network = Network::fluid});
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const char* const ping_pong = R"(num_ranks 2
rank 0 {
  l1: calc 5000
  l2: send 1000b to 1 tag 7
  l2 requires l1
  l3: recv 1000b from 1 tag 8
  l4: calc 1000
  l4 requires l3
}
rank 1 {
  l1: recv 1000b from 0 tag 7
  l2: calc 2000
  l2 requires l1
  l3: send 1000b to 0 tag 8
  l3 requires l2
}
)";

TEST(GoalApplication, ComputesAndSendsInTurn) {
  EXPECT_NEAR(time(ping_pong, "crossbar:2", simple()), 5e-6 + 2e-6 + 2e-6 + 2e-6 + 1e-6, 1e-15);
  EXPECT_NEAR(time(ping_pong, "crossbar:2", simple(), Network::cut_through), 12e-6, 1e-15);
  Machine slow = simple();
  slow.overhead_send = slow.overhead_receive = 1e-6;  // a message that is not buffered has no receiver's overhead
  slow.eager_limit = 10000;
  EXPECT_NEAR(time(ping_pong, "crossbar:2", slow), 12e-6 + 4e-6, 1e-15);
}

/// What need not wait for a send's end goes on when it has begun.
TEST(GoalApplication, KnowsEndsFromBeginnings) {
  const std::string begin = "num_ranks 2\nrank 0 {\na: send 9000b to 1\nb: calc 3000\nb ";
  const std::string end = " a\n}\nrank 1 {\nr: recv 9000b from 0\n}\n";
  EXPECT_NEAR(time(begin + "irequires" + end, "crossbar:2", simple()), 10e-6, 1e-15);
  EXPECT_NEAR(time(begin + "requires" + end, "crossbar:2", simple()), 13e-6, 1e-15);
}

/// Two messages over one link of a ring share it.
TEST(GoalApplication, MessagesShareLinks) {
  const std::string text =
      "num_ranks 4\nrank 0 {\na: send 4000b to 1\n}\nrank 1 {\na: recv 4000b from 0\nb: recv 4000b from 3\n}\n"
      "rank 2 {\n}\nrank 3 {\na: send 4000b to 1\n}\n";
  EXPECT_NEAR(time(text, "ring:4", simple()), 1e-6 + 8e-6, 1e-12);
  EXPECT_NEAR(time(text, "crossbar:4", simple()), 1e-6 + (simple().ports == Ports::all ? 4e-6 : 8e-6), 1e-12);
}

TEST(SmpiApplication, IsPlayedAsItsLinesSay) {
  const std::string text =
      "0 init\n0 compute 5000\n0 send 1 7 1000 6\n0 irecv 1 8 125 0\n0 waitall\n0 compute 1000\n0 finalize\n"
      "1 init any\n1 recv 0 7 125\n1 sleep 2e-6\n1 isend 0 8 1000 6\n1 wait 1 0 8\n1 finalize\n";
  EXPECT_NEAR(time(text, "crossbar:2", simple()), 12e-6, 1e-15);
  const std::string barrier =
      "0 init\n0 compute 5000\n0 barrier\n0 compute 1000\n0 finalize\n1 init\n1 barrier\n1 compute 3000\n1 finalize\n";
  EXPECT_NEAR(time(barrier, "crossbar:2", simple()), 8e-6, 1e-15);
}

/// What is exported of a schedule plays as the schedule does.
TEST(Applications, SchedulesPlayAsTheyAreSimulated) {
  Machine machine = simple();
  for (const char* choice : {"alltoall_pairwise", "allgather_daisy", "bcast_pipelined:packets=4", "alltoall_bidir"})
    for (const char* network : {"ring:8", "torus:4x4"}) {
      const Choice chosen = parse_choice(choice);
      const Spec spec =
          checked({.collective = chosen.algorithm->collective, .topology = parse_topology(network), .bytes = 4096});
      if (!chosen.algorithm->illegal(spec, machine, chosen.params).empty()) continue;
      const Built built = build(spec, machine, chosen);
      const Seconds expected =
          simulate(spec, machine, *built.schedule, {.order = Order::dataflow, .network = Network::fluid}).makespan;
      std::string goal, smpi;
      const auto into = [](std::string& text) { return [&text](std::string_view part) { text += part; }; };
      interchange::write_goal({spec, *built.schedule, ""}, into(goal), interchange::GoalOrder::rounds);
      write_smpi_trace(spec, *built.schedule, into(smpi), Order::dataflow);
      EXPECT_NEAR(time(goal, network, machine) / expected, 1, 1e-9) << choice << ' ' << network;
      EXPECT_NEAR(time(smpi, network, machine) / expected, 1, 1e-9) << choice << ' ' << network;
    }
}

TEST(Applications, WhatIsWrongIsRefusedWithItsLine) {
  const std::string end = "}\nrank 1 {\n}\n";
  EXPECT_NE(refusal("num_ranks 2\nrank 0 {\na: send 8b to 1\n" + end).find("line 3: rank 0 sends to 1"),
            std::string::npos);
  EXPECT_NE(refusal("num_ranks 2\nrank 0 {\na: recv 8b from 1\n" + end).find("line 3"), std::string::npos);
  EXPECT_NE(refusal("num_ranks 2\nrank 0 {\na: calc -5\n" + end).find("calc '-5'"), std::string::npos);
  EXPECT_NE(refusal("num_ranks 2\nrank 0 {\na: calc 5\na requires b\n" + end).find("label 'b'"), std::string::npos);
  EXPECT_NE(refusal("num_ranks 2\nrank 0 {\na: recv 8b from -1\n" + end).find("any rank"), std::string::npos);
  const std::string circle = "a: calc 5\nb: calc 5\na requires b\nb requires a\n";
  EXPECT_NE(refusal("num_ranks 2\nrank 0 {\n" + circle + end).find("waits for ever"), std::string::npos);
  EXPECT_NE(refusal("0 init\n0 frobnicate\n0 finalize\n").find("line 2: action 'frobnicate'"), std::string::npos);
  EXPECT_NE(refusal("0 init\n0 allreduce 8 8\n0 finalize\n").find("line 2"), std::string::npos);
  EXPECT_NE(refusal("0 init\n").find("finalize"), std::string::npos);
  EXPECT_NE(refusal("hello").find("expected GOAL"), std::string::npos);
  EXPECT_THROW(time(ping_pong, "ring:3", simple()), Error);
}

}  // namespace
}  // namespace quadrille::application_test
