// Networks of one rank: every collective is answered there, at no price, and what a rank ends with is its own.
#include <gtest/gtest.h>

#include "executed.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/run.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/verify.hpp"
#include "sound.hpp"

namespace quadrille::one_rank_test {
namespace {

const std::vector<std::string> networks{"crossbar:1", "ring:1",   "mesh:1",     "mesh:1x1",   "torus:1x1",
                                        "bus:1",      "memory:1", "ethernet:1", "hypercube:0"};

std::vector<Spec> questions(const std::string& network) {
  std::vector<Spec> all;
  for (const Collective c : collectives()) {
    if (c == Collective::sendrecv) continue;
    for (const Bytes bytes : {0, 1, 97}) {
      Spec spec{.collective = c, .topology = parse_topology(network), .bytes = bytes};
      if (c == Collective::multibcast) spec.sources = make_sources({{0, bytes}});
      if (c == Collective::alltoallv) spec.demands = make_demands(1, {{0, 0, bytes}});
      all.push_back(checked(spec));
    }
  }
  return all;
}

TEST(OneRank, IsANetworkOfEveryFamilyWithoutSwitches) {
  for (const std::string& network : networks) {
    const TopologyPtr t = parse_topology(network);
    EXPECT_EQ(t->ranks(), 1) << network;
    EXPECT_EQ(t->text(), network);
    EXPECT_EQ(t->farthest(0), 0) << network;
    EXPECT_EQ(t->distance(0, 0), 0) << network;
    EXPECT_EQ(t->mean_distance(), 0) << network;
    EXPECT_EQ(t->bisection_ranks(), 0) << network;
  }
  for (const char* network : {"omega:0", "fly:2^0", "bifly:2^0", "crossbar:0", "ring:0", "mesh:0", "hypercube:-1"})
    EXPECT_THROW(parse_topology(network), Error) << network;
  for (const TopologyFamily& family : topology_families()) {
    if (family.shape == nullptr) continue;
    const TopologyPtr one = topology_of(family, 1);
    EXPECT_EQ(one == nullptr, family.name == "omega" || family.name.ends_with("fly")) << family.name;
  }
}

TEST(OneRank, EveryCollectiveIsPlannedOnceAndCostsNothing) {
  for (const std::string& network : networks)
    for (const Spec& spec : questions(network)) {
      SCOPED_TRACE(to_text(spec));
      for (const Machine& machine : testing::machines_on(*spec.topology)) {
        const Plan plan = quadrille::plan(spec, machine, {});
        ASSERT_TRUE(plan.possible());
        EXPECT_EQ(plan.candidates.size(), 1u);
        EXPECT_EQ(plan.best().time, 0);
        EXPECT_EQ(plan.bound.time, 0);
        EXPECT_EQ(plan.best().assurance.how, Assurance::How::proven);
      }
    }
}

TEST(OneRank, EveryAlgorithmDoesNothingAndLeavesWhatIsWanted) {
  for (const std::string& network : networks)
    for (const Spec& spec : questions(network))
      for (const Algorithm& a : algorithms()) {
        if (a.collective != spec.collective) continue;
        const Machine machine = testing::test_machine(Ports::one, Duplex::half, Switching::store_and_forward);
        SCOPED_TRACE(testing::command(spec, machine, a, {}));
        ASSERT_EQ(a.illegal(spec, machine, {}), "");
        const Built built = build(spec, machine, {&a, {}});
        const Proof proof = verify(spec, machine, *built.schedule, built.claims);
        ASSERT_TRUE(proof.holds) << proof.counterexample->text;
        EXPECT_EQ(proof.messages, 0);
        EXPECT_EQ(count(spec, machine, *built.schedule).cost, Cost{});
        EXPECT_EQ(built.formula, Cost{});
        EXPECT_EQ(simulate(spec, machine, *built.schedule, {}).makespan, 0);
        if (a.name != built.choice.algorithm->name) continue;
        RunResult result;
        ASSERT_NO_THROW(result = run_threads(spec, *built.schedule));
        EXPECT_EQ(result.messages, 0);
        EXPECT_EQ(result.checked, buffer_bytes(spec, Buffer::out, 0));
      }
}

// Nobody can be sent to.
TEST(OneRank, HasNoPairOfRanks) {
  const auto ask = [] { checked({.collective = Collective::sendrecv, .topology = parse_topology("ring:1")}); };
  testing::expect_mentions(testing::error_of(ask), Error::Kind::argument, {"sendrecv needs two ranks", "ring:1"});
}

}  // namespace
}  // namespace quadrille::one_rank_test
