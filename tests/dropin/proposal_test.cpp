// What rank 0 proposes to try, and what the others get of it.
#include "dropin/decide/proposal.hpp"

#include <gtest/gtest.h>

#include "quadrille/algorithm.hpp"
#include "quadrille/price.hpp"

namespace quadrille::dropin {
namespace {

const Circumstances where{"Open MPI v4.1.4", "crossbar:4", 0};

Settings settings(Mode mode = Mode::trial) {
  Settings s;
  s.mode = mode;
  s.constants = load_machine("localhost");
  return s;
}

/// With what a trial of this call has found.
Settings knowing(const Request& request, const std::string& choice) {
  Settings s = settings();
  const int sizes = differs_by_rank(request.operation) ? 0 : size_class(request.bytes);
  s.wisdom.put(TrialResult{trial_of(where, request.operation, sizes), choice, 2, 1});
  return s;
}

const Request large{.operation = Operation::allgather, .bytes = 1 << 20};
const Request exchange{.operation = Operation::alltoallv, .bytes = 4000};

TEST(Proposal, GetsThroughAsText) {
  for (const Proposal& p :
       {Proposal{}, Proposal{{"bcast_chain:packets=3"}, true}, Proposal{{"a", "b\n=\"", ""}, false}})
    EXPECT_EQ(parse_proposal(to_text(p)), p);
}

TEST(Proposal, HasTheBestAlgorithmsForATrial) {
  const Proposal p = propose({.operation = Operation::bcast, .bytes = 1 << 20}, where, settings());
  EXPECT_EQ(p.choices.size(), 3u);
  EXPECT_FALSE(p.known);
}

TEST(Proposal, HasOneMoreChoiceForSmallBlocks) {
  EXPECT_EQ(propose({.operation = Operation::bcast, .bytes = 16}, where, settings()).choices.size(), 4u);
}

TEST(Proposal, HasOneChoiceAtMostWhereNoTrialIsWanted) {
  EXPECT_LE(propose(large, where, settings(Mode::on)).choices.size(), 1u);
}

/// Nobody finds out later that it was wrong: among neighbours MPI does what plans do, on a ring it does not.
TEST(Proposal, WithoutATrialIsWhatMpiIsNotPredictedToBeat) {
  const Request small{.operation = Operation::allgather, .bytes = 64};
  for (const Mode mode : {Mode::trial, Mode::on}) {
    const Settings s = settings(mode);
    EXPECT_TRUE(propose(small, where, s, Followed::by_none).choices.empty());  // nobody knows
    const Proposal p = propose(large, where, s, Followed::by_none);
    ASSERT_GT(p.choices.size(), 1u);  // the next best, too
    EXPECT_EQ(p.choices.front(), propose(large, where, settings()).choices.front());
  }
  EXPECT_EQ(propose(small, where, knowing(small, "allgather_daisy"), Followed::by_none).choices.front(),
            "allgather_daisy");
}

TEST(Proposal, OfAResultThatKeepsItsBitsMustWinClearly) {
  const Circumstances on_ring{.mpi = where.mpi, .topology = "ring:8"};
  const Circumstances on_crossbar{.mpi = where.mpi, .topology = "crossbar:8"};
  const Request sum{.operation = Operation::allreduce, .bytes = 1 << 20, .by = {.element = 8, .rounds = true}};
  Settings both_ways = settings(Mode::on);
  both_ways.constants.ports = Ports::all;  // both of a ring's directions at a time, which MPI does not know of
  EXPECT_EQ(propose(sum, on_ring, both_ways).choices.size(), 1u);
  Request reproducible = sum;
  reproducible.by.canonical = true;
  const Proposal canonical = propose(reproducible, on_crossbar, settings(Mode::on));
  ASSERT_EQ(canonical.choices.size(), 1u) << "whoever is faster";
  EXPECT_TRUE(parse_choice(canonical.choices.front())
                  .algorithm->claims(*spec_of(reproducible, parse_topology("crossbar:8")), {}, {})
                  .canonical);
  Request small = sum;
  small.bytes = 8;
  EXPECT_EQ(propose(small, on_crossbar, settings(Mode::on)), Proposal{});
}

TEST(Proposal, IsWhatATrialHasFound) {
  EXPECT_EQ(propose(large, where, knowing(large, "allgather_daisy")), (Proposal{{"allgather_daisy"}, true}));
  EXPECT_EQ(propose(large, where, knowing(large, "native")), Proposal{});
  EXPECT_EQ(propose(exchange, where, knowing(exchange, "alltoall_pairwise")), (Proposal{{"alltoall_pairwise"}, true}));
  EXPECT_EQ(propose(exchange, where, knowing(exchange, "native")), Proposal{});
}

TEST(Proposal, OfAnAlltoallvIsOneChoice) {
  const Proposal p = propose(exchange, where, settings());
  EXPECT_EQ(p.choices.size(), 1u);
  EXPECT_FALSE(p.known);
}

TEST(Proposal, IsEmptyWhereNothingCanBePlanned) {
  EXPECT_EQ(propose(large, {"Open MPI v4.1.4", "no network", 0}, settings()), Proposal{});
}

TEST(Proposal, OfABarrierIsABarrier) {
  const Proposal p = propose({.operation = Operation::barrier, .bytes = 1}, where, settings());
  ASSERT_FALSE(p.choices.empty());
  for (const std::string& choice : p.choices) EXPECT_EQ(choice.rfind("barrier_", 0), 0u) << choice;
}

TEST(KnownResult, IsOfTheSameSizes) {
  const Settings s = knowing(large, "allgather_daisy");
  EXPECT_NE(known_result(large, where, s), nullptr);
  EXPECT_EQ(known_result({.operation = Operation::allgather, .bytes = large.bytes - 1}, where, s), nullptr);
  EXPECT_EQ(known_result(large, {where.mpi, "crossbar:5", 0}, s), nullptr);
  const Settings any = knowing(exchange, "native");
  EXPECT_NE(known_result({.operation = Operation::alltoallv, .bytes = 1}, where, any), nullptr);
}

TEST(KnownResult, OfCallsThatEndLaterIsTheirOwnBeforeThatOfOthers) {
  Settings s = knowing(large, "allgather_daisy");
  for (const Ending ending : {Ending::persistent, Ending::non_blocking})
    EXPECT_EQ(known_result(large, where, s, ending)->choice, "allgather_daisy");
  s.wisdom.put(
      TrialResult{trial_of(where, large.operation, size_class(large.bytes), Ending::persistent), "native", 1, 1});
  EXPECT_EQ(known_result(large, where, s, Ending::persistent)->choice, "native");
  EXPECT_EQ(propose(large, where, s, Followed::by_trial, Ending::persistent), Proposal{});
  EXPECT_EQ(known_result(large, where, s, Ending::non_blocking)->choice, "allgather_daisy");
  EXPECT_EQ(known_result(large, where, s)->choice, "allgather_daisy");
}

/// Four hosts with two ranks each: a message between hosts takes as long as many within, and both ranks share a link.
Settings on_hosts(Mode mode = Mode::on) {
  Settings s = settings(mode);
  s.constants.alpha = 50e-6;
  s.constants.beta = 4e-7;
  s.constants.links = {{.kind = "memory", .alpha = 2e-6, .beta = 2e-10}};
  return s;
}

TEST(Proposal, HasLevelsWhereRanksShareHosts) {
  const Circumstances nodes{.mpi = where.mpi, .topology = "star:4*2"};
  for (const Operation operation : {Operation::bcast, Operation::allreduce}) {
    const Proposal p = propose({.operation = operation, .bytes = 1 << 16}, nodes, on_hosts());
    ASSERT_EQ(p.choices.size(), 1u) << to_string(operation);
    EXPECT_NE(p.choices[0].find("_levels"), std::string::npos) << p.choices[0];
  }
}

/// Levels or trees: each block crosses a host's link once, and a plan for ranks that are all apart takes longer.
TEST(Proposal, OfAnAllgatherIsAtTheLimitOfTheHostsLinks) {
  const Proposal p = propose({.operation = Operation::allgather, .bytes = 1 << 16},
                             {.mpi = where.mpi, .topology = "star:4*2"}, on_hosts());
  ASSERT_EQ(p.choices.size(), 1u);
  const Machine machine = on_hosts().constants;
  const Spec spec =
      checked({.collective = Collective::allgather, .topology = parse_topology("star:4*2"), .bytes = 1 << 16});
  const auto price = [&](const std::string& choice) {
    return seconds(build(spec, machine, parse_choice(choice)).formula, machine, *spec.topology);
  };
  const Seconds limit = lower_bound(spec, machine).time;
  EXPECT_LT(price(p.choices[0]), 1.01 * limit) << p.choices[0];
  EXPECT_GT(price("allgather_doubling"), 1.5 * limit);
}

/// The plan is what the textbook has, too. MPI may do something else, but nothing that is faster by 5 %.
TEST(Proposal, IsTakenAtTheLimitOfTheWires) {
  const Circumstances nodes{.mpi = where.mpi, .topology = "star:4*2"},
      crossbar{.mpi = where.mpi, .topology = "crossbar:8"};
  const Request sum{
      .operation = Operation::reduce_scatter_block, .bytes = 1 << 15, .by = {.element = 8, .rounds = true}};
  const Proposal p = propose(sum, nodes, on_hosts());
  ASSERT_EQ(p.choices.size(), 1u);
  EXPECT_EQ(p.choices[0].substr(0, 14), "reduce_scatter");
  EXPECT_EQ(propose(sum, crossbar, on_hosts()), Proposal{}) << "one host: MPI's memory is no wire";
}

/// Leaves that share a link: MPI's best algorithm is a ring as well, but the MPI may choose another.
TEST(Proposal, IsTakenAtTheLimitWhereLeavesShareALink) {
  const Request request{.operation = Operation::allgather, .bytes = 1 << 20};
  const Circumstances leaves{.mpi = where.mpi, .topology = "xgft:2;4,2;1,1"};
  const Proposal p = propose(request, leaves, on_hosts());
  ASSERT_EQ(p.choices.size(), 1u);
  const Machine machine = on_hosts().constants;
  const Spec spec =
      checked({.collective = Collective::allgather, .topology = parse_topology(leaves.topology), .bytes = 1 << 20});
  const Seconds time = seconds(build(spec, machine, parse_choice(p.choices[0])).formula, machine, *spec.topology);
  EXPECT_LE(time, 1.05 * lower_bound(spec, machine).time) << p.choices[0];
}

TEST(Proposal, AnswersScansOfRanksThatWereDealtOutInTurns) {
  const Circumstances in_turns{.mpi = where.mpi, .topology = "star:4*2@0,2,4,6,1,3,5,7"};
  const Request scan{.operation = Operation::scan, .bytes = 1 << 16};
  EXPECT_FALSE(propose(scan, in_turns, on_hosts(Mode::trial)).choices.empty());
  Settings told = on_hosts(Mode::trial);
  told.topology = in_turns.topology;
  EXPECT_TRUE(propose(scan, in_turns, told).choices.empty()) << "the user has said where ranks are";
}

}  // namespace
}  // namespace quadrille::dropin
