// Whole applications: what traces say, and how long they take on networks, worked out by hand.
#include "interchange/application.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

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

/// As in MPI, and as SimGrid's SMPI plays it: nobody keeps a long message before its receiver has asked for it.
TEST(GoalApplication, LongMessagesLeaveWhenTheirReceiverHasAsked) {
  const std::string late =
      "num_ranks 2\nrank 0 {\na: send 1000b to 1\nb: calc 500\nb irequires a\n}\n"
      "rank 1 {\na: calc 9000\nb: recv 1000b from 0\nb requires a\n}\n";
  EXPECT_NEAR(time(late, "crossbar:2", simple()), 9e-6, 1e-15);  // without overheads nothing asks
  Machine machine = simple();
  machine.overhead_send = machine.overhead_receive = 1e-6;
  EXPECT_NEAR(time(late, "crossbar:2", machine), 9e-6 + 1e-6, 1e-15);  // buffered; taken when there is time
  machine.eager_limit = 1000;
  EXPECT_NEAR(time(late, "crossbar:2", machine), 9e-6 + 2e-6, 1e-15);
  const std::string crossed =
      "num_ranks 2\nrank 0 {\na: send 1000b to 1\nb: recv 1000b from 1\nb requires a\n}\n"
      "rank 1 {\na: send 1000b to 0\nb: recv 1000b from 0\nb requires a\n}\n";
  EXPECT_THROW(time(crossed, "crossbar:2", machine), Error);
  machine.eager_limit = 1001;
  EXPECT_NEAR(time(crossed, "crossbar:2", machine), 4e-6, 1e-15);
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

/// Four ranks, each of which sends `steps` times to the next one and computes when a message has come. `blank` is what
/// words stand apart by, `size` the bytes of the message that rank 2 sends in its middle step, and `tag` its tag.
std::string round_and_round(int steps, const std::string& blank, int size = 64, int tag = 5) {
  std::string text = "num_ranks 4\n";
  for (int r = 0; r < 4; ++r) {
    text += fmt::format("rank {} {{\n", r);
    for (int i = 0; i < steps; ++i) {
      const bool chosen = r == 2 && i == steps / 2;
      const int label = 3 * i + 1;
      std::string lines =
          fmt::format("l{}: calc {}\nl{}: send {}b to {} tag {} cpu 1\nl{}: recv 64b from {} tag 5\nl{} requires l{}\n",
                      label, 10 + i, label + 1, chosen ? size : 64, (r + 1) % 4, chosen ? tag : 5, label + 2,
                      (r + 3) % 4, label + 1, label);
      if (i > 0) lines += fmt::format("l{} requires l{}\nl{} irequires l{}\n", label, label - 1, label, label - 2);
      for (const char c : lines) c == ' ' ? text += blank : text += c;
    }
    text += "}\n";
  }
  return text;
}

/// Lines as programs write them are read in another way than others: both say the same.
TEST(GoalApplication, UsualLinesAreReadAsAllOthers) {
  const Application usual = read_application(round_and_round(100, " "), "usual"),
                    other = read_application(round_and_round(100, " \t "), "other");
  ASSERT_EQ(usual.ops.size(), 1200U);
  ASSERT_EQ(other.ops.size(), usual.ops.size());
  for (std::size_t i = 0; i < usual.ops.size(); ++i) {
    const Application::Op &a = usual.ops[i], &b = other.ops[i];
    ASSERT_EQ(std::tie(a.rank, a.peer, a.amount, a.type, a.partner),
              std::tie(b.rank, b.peer, b.amount, b.type, b.partner))
        << i;
  }
  EXPECT_EQ(usual.messages, 400);
  EXPECT_EQ(usual.first, other.first);
  EXPECT_EQ(usual.next, other.next);
}

/// Lines are not remembered, and found again when one is refused.
TEST(GoalApplication, WhatDoesNotMeetIsRefusedWithItsLine) {
  const auto line_of = [](const std::string& text, const std::string& what) {
    return fmt::format("line {}: ",
                       1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(what)), '\n'));
  };
  const std::string lost = round_and_round(100, " ", 64, 6);
  EXPECT_NE(refusal(lost).find(line_of(lost, "tag 6") + "rank 2 sends to 3 with tag 6"), std::string::npos)
      << refusal(lost);
  const std::string longer = round_and_round(100, " ", 65);
  EXPECT_NE(refusal(longer).find("rank 3 receives 64 bytes from 2, which sends 65"), std::string::npos);
  std::string missing = round_and_round(100, " ");
  const std::string one = "l152: send 64b to 3 tag 5 cpu 1";
  missing.replace(missing.find(one), one.size(), "l152: send 64b to 1 tag 5 cpu 2");
  EXPECT_NE(refusal(missing).find(line_of(missing, "cpu 2") + "rank 2 sends to 1 with tag 5"), std::string::npos)
      << refusal(missing);
  std::string extra = round_and_round(100, " ");
  extra.insert(extra.find("l152: send 64b to 3"), "l900: recv 8b from 0 tag 9\n");
  EXPECT_NE(refusal(extra).find(line_of(extra, "l900") + "rank 2 receives from 0 with tag 9"), std::string::npos)
      << refusal(extra);
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
