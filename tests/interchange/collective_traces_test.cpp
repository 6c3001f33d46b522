// Collectives in SMPI's traces: what their lines mean, and that they take as long as the schedules that perform them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interchange/application.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine.hpp"
#include "settings.hpp"
#include "simulator/replay.hpp"

namespace quadrille::collective_traces_test {
namespace {

using interchange::Application;
using interchange::CalledCollective;

/// 1 us a message, 1 ns a byte, nothing else.
Machine plain_machine() {
  Machine machine = load_machine("unit");
  machine.alpha = 1e-6, machine.beta = 1e-9, machine.per_hop = 0, machine.gamma = 0;
  machine.ports = Ports::all, machine.duplex = Duplex::full, machine.switching = Switching::wormhole;
  return machine;
}

/// Every rank's line between the first and the last.
std::string all_ranks(Rank ranks, const std::string& line, const char* init = "init") {
  std::string text;
  for (Rank r = 0; r < ranks; ++r) text += fmt::format("{0} {1}\n{0} {2}\n{0} finalize\n", r, init, line);
  return text;
}

Spec spec_of(const CalledCollective& call, const TopologyPtr& topology) {
  Spec spec{.collective = call.collective, .topology = topology, .bytes = call.bytes, .root = call.root};
  spec.element = call.element;
  if (call.collective == Collective::multibcast) {
    std::vector<std::pair<Rank, Bytes>> sources;
    for (std::size_t r = 0; r < call.counts.size(); ++r) sources.emplace_back(static_cast<Rank>(r), call.counts[r]);
    spec.sources = make_sources(sources);
  }
  return checked(spec);
}

struct Heard {
  std::vector<CalledCollective> calls;
  Seconds time = 0;
  std::int64_t messages = 0;
};

Heard played(const std::string& text, const char* network, const char* choice) {
  const TopologyPtr topology = parse_topology(network);
  const Machine machine = plain_machine();
  Heard heard;
  const Application app =
      interchange::read_application(text, "test", {.schedule_of = [&](const CalledCollective& call) {
                                      heard.calls.push_back(call);
                                      return build(spec_of(call, topology), machine, parse_choice(choice)).schedule;
                                    }});
  const auto result = simulator::replay(app, topology, machine, {.network = Network::fluid});
  heard.time = result.line.makespan, heard.messages = app.messages;
  return heard;
}

std::string why_not(const std::string& text) {
  try {
    played(text, "crossbar:4", "bcast_binomial");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Of doubles after "init any", of bytes else, or of what the line says.
TEST(CollectiveTraces, LinesMeanTheirSizesAndRoots) {
  struct Meaning {
    const char* line;
    const char* choice;
    Collective collective;
    Bytes bytes;
    Rank root;
  };
  for (const Meaning& m : std::initializer_list<Meaning>{
           {"bcast 100 2", "bcast_binomial", Collective::bcast, 100, 2},
           {"bcast 100", "bcast_binomial", Collective::bcast, 100, 0},
           {"bcast 100 1 1", "bcast_binomial", Collective::bcast, 400, 1},
           {"reduce 10 0 3 0", "reduce_binomial", Collective::reduce, 80, 3},
           {"allreduce 10 0 5", "allreduce_doubling", Collective::allreduce, 40, 0},
           {"allgather 7 7 4 4", "allgather_daisy", Collective::allgather, 56, 0},
           {"alltoall 9 9", "alltoall_pairwise", Collective::alltoall, 9, 0},
           {"gather 6 6 1", "gather_tree", Collective::gather, 6, 1},
           {"scatter 0 6 1", "scatter_tree", Collective::scatter, 6, 1},
           {"scan 4 0 1", "scan_chain", Collective::scan, 16, 0},
           {"allgatherv 5 5 5 5 5", "allgather_daisy", Collective::allgather, 5, 0},
           {"allgatherv 5 5 9 5 1", "multibcast_sequential", Collective::multibcast, 9, 0},
           {"reducescatter 8 8 8 8 0 5", "reduce_scatter_halving", Collective::reduce_scatter, 32, 0}}) {
    SCOPED_TRACE(m.line);
    const Heard heard = played(all_ranks(4, m.line), "crossbar:4", m.choice);
    ASSERT_EQ(heard.calls.size(), 1U);
    EXPECT_EQ(heard.calls[0].collective, m.collective);
    EXPECT_EQ(heard.calls[0].bytes, m.bytes);
    EXPECT_EQ(heard.calls[0].root, m.root);
    EXPECT_EQ(heard.calls[0].ranks, 4);
  }
  EXPECT_EQ(played(all_ranks(4, "bcast 100", "init any"), "crossbar:4", "bcast_binomial").calls[0].bytes, 800);
  EXPECT_EQ(played(all_ranks(4, "allgatherv 5 5 9 5 1"), "crossbar:4", "multibcast_sequential").calls[0].counts,
            (std::vector<Bytes>{5, 9, 5, 1}));
}

/// Alone in a trace, a collective takes what a simulation of its schedule takes.
TEST(CollectiveTraces, TakeAsLongAsTheirSchedules) {
  const Machine machine = plain_machine();
  int compared = 0;
  for (const auto& [choice, line] :
       {std::pair{"alltoall_pairwise", "alltoall 4096 4096"}, std::pair{"allgather_daisy", "allgather 4096 4096"},
        std::pair{"bcast_pipelined:packets=4", "bcast 4096 0"}, std::pair{"allreduce_halving", "allreduce 4096 0"},
        std::pair{"reduce_binomial", "reduce 4096 0 0"}, std::pair{"scatter_tree", "scatter 4096 4096 0"}})
    for (const char* network : {"ring:8", "torus:4x4", "xgft:2;4,4;1,2"}) {
      SCOPED_TRACE(std::string(choice) + " on " + network);
      const Choice chosen = parse_choice(choice);
      const Spec spec =
          checked({.collective = chosen.algorithm->collective, .topology = parse_topology(network), .bytes = 4096});
      if (!chosen.algorithm->illegal(spec, machine, chosen.params).empty()) continue;
      const Built built = build(spec, machine, chosen);
      const Seconds expected =
          simulate(spec, machine, *built.schedule, {.order = Order::dataflow, .network = Network::fluid}).makespan;
      EXPECT_NEAR(played(all_ranks(spec.ranks(), line), network, choice).time / expected, 1, 1e-9);
      ++compared;
    }
  EXPECT_GE(compared, 11);
}

/// By hand, on a crossbar: two ranks compute for 5 us and 3 us, exchange 1000 bytes in 2 us each way at once, and add
/// for 4 us; then rank 0 sends 2000 bytes in 3 us.
TEST(CollectiveTraces, ComputingStandsBeforeAndBehind) {
  const std::string text =
      "0 init\n0 compute 5000\n0 allreduce 1000 4000\n0 bcast 2000 0\n0 finalize\n"
      "1 init\n1 compute 3000\n1 allreduce 1000 4000\n1 bcast 2000 0\n1 compute 1000\n1 finalize\n";
  const TopologyPtr topology = parse_topology("crossbar:2");
  const Application app =
      interchange::read_application(text, "test", {.schedule_of = [&](const CalledCollective& call) {
                                      const bool reduces = call.collective == Collective::allreduce;
                                      return build(spec_of(call, topology), plain_machine(),
                                                   parse_choice(reduces ? "allreduce_doubling" : "bcast_binomial"))
                                          .schedule;
                                    }});
  EXPECT_NEAR(simulator::replay(app, topology, plain_machine(), {.network = Network::fluid}).line.makespan,
              5e-6 + 2e-6 + 4e-6 + 3e-6 + 1e-6, 1e-15);
}

/// What has different lengths for each goes straight: 100, 200 and 300 bytes to one receiver, 1 us and 600 ns.
TEST(CollectiveTraces, UnequalLengthsGoStraight) {
  std::string text;
  for (Rank r = 0; r < 4; ++r)
    text += fmt::format("{0} init\n{0} gatherv {1} 0 100 200 300\n{0} finalize\n", r, 100 * r);
  Heard heard = played(text, "crossbar:4", "bcast_binomial");
  EXPECT_TRUE(heard.calls.empty());
  EXPECT_EQ(heard.messages, 3);
  EXPECT_NEAR(heard.time, 1e-6 + 300e-9, 1e-12);  // each has a port of its own
  text.clear();
  for (Rank r = 0; r < 3; ++r)
    text += fmt::format("{0} init\n{0} alltoallv 9 {1} {2} {3} 9 1 1 1\n{0} finalize\n", r, r == 0 ? 0 : 8,
                        r == 1 ? 0 : 8, r == 2 ? 0 : 8);
  EXPECT_EQ(played(text, "crossbar:3", "bcast_binomial").messages, 6);
  EXPECT_EQ(played(all_ranks(4, "scatterv 5 0 5 5 5 0"), "crossbar:4", "bcast_binomial").messages, 2);
}

TEST(CollectiveTraces, SendRecvIsOfTwoMessages) {
  const std::string text =
      "0 init\n0 sendRecv 1000 1 500 1\n0 compute 1000\n0 finalize\n1 init\n1 sendRecv 500 0 1000 0\n1 finalize\n";
  EXPECT_NEAR(played(text, "crossbar:2", "bcast_binomial").time, 3e-6, 1e-12);
}

/// What smpirun of SimGrid 3.32 recorded of a program with each of MPI's collectives: lines of rank 0 and of rank 1 of
/// two. It writes a reduce_scatter_block without its lengths, and zeros for what is significant at a root only.
TEST(CollectiveTraces, WhatSmpirunRecordsIsRead) {
  const std::string text =
      "0 init\n0 compute 1.86654\n0 bcast 1000 1 0 \n0 allreduce 500 0 0 \n0 reduce 500 0 1 1 \n0 allgather 10 10 5 5\n"
      "0 alltoall 10 10 0 0\n0 gather 7 7 1 1 1\n0 scatter 7 7 1 1 1\n0 allgatherv 1 1 2 1 1\n0 gatherv 1 1 2 0 1 1\n"
      "0 scatterv 1 2 1 0 1 1\n0 reducescatter 1 2 0 1\n0 scan 9 0 1 \n0 exscan 9 0 1 \n0 barrier\n"
      "0 alltoallv 4 1 1 10 1 2 1 1\n0 sendRecv 5 1 5 1 1 1\n0 reducescatter 0 0 1 \n0 finalize\n"
      "1 init\n1 compute 2.2744\n1 bcast 1000 1 0 \n1 allreduce 500 0 0 \n1 reduce 500 0 1 1 \n1 allgather 10 10 5 5\n"
      "1 alltoall 10 10 0 0\n1 gather 7 7 1 1 1\n1 scatter 7 7 1 1 1\n1 allgatherv 2 1 2 1 1\n1 gatherv 2 0 0 0 1 1\n"
      "1 scatterv 0 0 2 0 1 1\n1 reducescatter 1 2 0 1\n1 scan 9 0 1 \n1 exscan 9 0 1 \n1 barrier\n"
      "1 alltoallv 8 2 2 10 1 2 1 1\n1 sendRecv 5 0 5 0 1 1\n1 reducescatter 0 0 1 \n1 finalize\n";
  const TopologyPtr topology = parse_topology("crossbar:2");
  std::vector<std::string> heard;
  const Application app = interchange::read_application(
      text, "test", {.schedule_of = [&](const CalledCollective& call) {
        heard.push_back(fmt::format("{} {} {}", to_string(call.collective), call.bytes, call.root));
        const Spec empty = checked({.collective = Collective::bcast, .topology = topology, .bytes = 0});
        return build(empty, plain_machine(), parse_choice("bcast_binomial")).schedule;  // nothing is sent
      }});
  EXPECT_EQ(heard, (std::vector<std::string>{"bcast 8000 1", "allreduce 4000 0", "reduce 2000 1", "allgather 40 0",
                                             "alltoall 80 0", "gather 28 1", "scatter 28 1", "multibcast 8 0",
                                             "reduce_scatter 8 0", "scan 36 0", "exscan 36 0", "reduce_scatter 0 0"}));
  EXPECT_EQ(app.messages, 1 + 1 + 2 + 2);  // gatherv, scatterv, alltoallv and sendRecv
}

TEST(CollectiveTraces, RanksThatDoNotCallAlikeAreNamed) {
  EXPECT_EQ(why_not("0 init\n0 bcast 8 0\n0 finalize\n1 init\n1 bcast 9 0\n1 finalize\n"),
            "'test', line 5: collective 1 of rank 1 is a bcast of 9 bytes with root 0, and that of rank 0 a bcast of 8 "
            "bytes with root 0");
  EXPECT_EQ(why_not("0 init\n0 bcast 8 0\n0 finalize\n1 init\n1 finalize\n"),
            "'test', line 2: rank 1 has 0 collectives, and rank 0 has 1");
  EXPECT_EQ(why_not(all_ranks(2, "bcast 8 7")), "'test', line 2: root '7': expected a whole number from 0 to 1");
  EXPECT_EQ(why_not(all_ranks(2, "bcast")),
            "'test', line 2: count is missing; expected RANK bcast COUNT [ROOT [TYPE]]");
  EXPECT_EQ(why_not(all_ranks(2, "bcast 8 0 6 6")),
            "'test', line 2: more words than that; expected RANK bcast COUNT [ROOT [TYPE]]");
  EXPECT_NE(why_not(all_ranks(2, "allreduce 8 -1")).find("line 2: FLOPS"), std::string::npos);
  EXPECT_NE(why_not(all_ranks(2, "frobnicate 8")).find("another collective of MPI"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::collective_traces_test
