// Networks whose messages meet on routes: whatever runs there is proven, costs what its messages add up to, and is
// never faster than the limit, by price or by simulation.
#include <gtest/gtest.h>

#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "settings.hpp"

namespace quadrille::routed_test {
namespace {

class Routed : public ::testing::TestWithParam<std::string> {};

std::vector<Machine> machines() {
  std::vector<Machine> all{load_machine("cluster")};
  all.push_back(testing::test_machine(Ports::one, Duplex::full, Switching::wormhole));
  all.push_back(testing::test_machine(Ports::all, Duplex::full, Switching::wormhole));
  all.back().links = {{.kind = "memory", .alpha = 503, .beta = 3, .latency = 13}, {.kind = "edge", .beta = 11}};
  return all;
}

TEST_P(Routed, EveryCandidateIsProvenAndCounted) {
  int seen = 0;
  for (const Machine& machine : machines())
    for (const Collective c : collectives()) {
      if (!testing::can_request(c, GetParam())) continue;
      const Plan all = plan(testing::request(c, GetParam(), 97), machine, {});
      ASSERT_TRUE(all.possible()) << to_string(c) << ": " << all.refused.front().reason;
      for (const Candidate& one : all.candidates) {
        SCOPED_TRACE(testing::command(all.spec, machine, *one.algorithm, one.params));
        const Built built = build(all.spec, machine, {one.algorithm, one.params});
        EXPECT_TRUE(verify(all.spec, machine, *built.schedule, built.claims).holds);
        EXPECT_EQ(count(all.spec, machine, *built.schedule).cost, built.formula);
        EXPECT_EQ(one.cost, built.formula);
        EXPECT_LE(one.algorithm->least(all.spec, machine, one.params), one.time * (1 + 1e-9));
        EXPECT_GE(one.time, all.bound.time * (1 - 1e-9)) << all.bound.binding;
        ++seen;
      }
    }
  EXPECT_GT(seen, 60);
}

TEST_P(Routed, NoSimulationIsFasterThanTheLimit) {
  for (const Machine& machine : machines())
    for (const Collective c : {Collective::bcast, Collective::allgather, Collective::alltoall, Collective::allreduce}) {
      const Plan all = plan(testing::request(c, GetParam(), 4096), machine, {});
      for (const Network network : {Network::cut_through, Network::fluid, Network::circuit, Network::wormhole})
        for (const Order order : {Order::dataflow, Order::lockstep}) {
          const Candidate& best = all.best();
          SCOPED_TRACE(testing::command(all.spec, machine, *best.algorithm, best.params));
          const Built built = build(all.spec, machine, {best.algorithm, best.params});
          try {
            const Timeline run = simulate(all.spec, machine, *built.schedule, {order, network});
            EXPECT_GE(run.makespan, limit(all.spec, machine, network).time * (1 - 1e-9)) << to_string(network);
          } catch (const Error& error) {  // circuits that wait for each other
            EXPECT_EQ(network, Network::circuit) << error.what();
          }
        }
    }
}

/// The time of the best plan, in start-ups and bytes.
Seconds best_of(const std::string& question, const std::string& machine) {
  const Spec spec = parse_spec(question);
  Machine m = load_machine(machine);
  if (spec.topology->structure().grid != nullptr) m.switching = Switching::wormhole;
  const Plan found = plan(spec, m);
  const Candidate& best = found.best();
  const Built built = build(spec, m, {best.algorithm, best.params});
  EXPECT_TRUE(verify(spec, m, *built.schedule, built.claims).holds) << question;
  return best.time;
}

/// An inner algorithm that is not among the fastest on a crossbar may be the fastest where links are shared.
TEST(RoutedChoices, AreNotOnlyTheFastestOfACrossbar) {
  EXPECT_EQ(best_of("allreduce dgx1-p100 8", "unit-one-port"), 6);
  EXPECT_EQ(best_of("reduce_scatter circulant:8/1,4 64KiB", "unit-one-port"), 458759);
  EXPECT_EQ(best_of("allreduce torus:4x4!0-1 1", "ring-1986"), 24);
  EXPECT_EQ(best_of("allreduce mi250:1 1KiB", "ring-1986"), 24);
}

/// Algorithms for neighbours took 9, 33, 5 and 1.3 times as long.
TEST(RoutedChoices, GoPastRanksOfMeshesAndTori) {
  EXPECT_LE(best_of("barrier mesh:8x8", "unit-one-port"), 28);
  EXPECT_LE(best_of("barrier mesh:32x32", "unit-one-port"), 124);
  EXPECT_LE(best_of("allreduce mesh:8x8 8", "unit-one-port"), 47);
  EXPECT_LE(best_of("allreduce torus:8x8x8 8", "unit-one-port"), 81);
}

/// Operands in the order of ranks, and prefixes, go along lines: no algorithm of the network's own answers.
TEST(RoutedChoices, KeepLinesWhereOrderCounts) {
  EXPECT_LE(best_of("scan torus:8x8 64KiB", "unit-one-port"), 69630);
  EXPECT_LE(best_of("exscan torus:8x8 64KiB", "unit-one-port"), 69630);
  EXPECT_LE(best_of("reduce mesh:4x4 64KiB operands=ordered", "unit-one-port"), 67466);
  EXPECT_LE(best_of("allreduce torus:8x8 64KiB operands=ordered", "unit-one-port"), 195775);
  EXPECT_LE(best_of("reduce_scatter mesh:7 8 operands=ordered", "unit-one-port"), 90);
}

/// Of a vector that is cut into blocks, scratch has as many blocks, not vectors.
TEST(RoutedChoices, HaveScratchForBlocks) {
  Machine m = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);
  const Spec spec = parse_spec("allreduce torus:3x4 960");
  const Built built = build(spec, m, parse_choice("allreduce_routed:inner=(allreduce_circulant)"));
  const Proof proof = verify(spec, m, *built.schedule, built.claims);
  EXPECT_TRUE(proof.holds);
  EXPECT_EQ(proof.scratch, 960);
}

std::string name_of(const ::testing::TestParamInfo<std::string>& network) {
  std::string name = network.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Networks, Routed,
                         ::testing::Values("star:6", "fattree:4/2@0-6,9", "dragonfly:2,1,1", "torus:2x2*3",
                                           "torus:4x4!0-1,5-6@0-9", "dgx-a100:1*1", "xgft:2;3,2;1,2;2,3", "path:2*4/2"),
                         name_of);

}  // namespace
}  // namespace quadrille::routed_test
