// Schedules that are searched for, on networks that no other algorithm knows: proven, counted, and near the bound.
#include <gtest/gtest.h>

#include <random>

#include "algorithm/kit/forest_plan.hpp"
#include "algorithm/kit/ways.hpp"
#include "quadrille/plan.hpp"
#include "sound.hpp"

namespace quadrille::searched_test {
namespace {

Spec question(Collective c, const std::string& network, Bytes bytes) {
  Spec spec{.collective = c, .topology = parse_topology(network), .bytes = bytes};
  if (c == Collective::multibcast) spec.sources = make_sources({{0, bytes}, {1, bytes / 3}, {3, 0}});
  return checked(std::move(spec));
}

constexpr std::array collectives_searched{Collective::bcast,  Collective::multibcast,     Collective::allgather,
                                          Collective::reduce, Collective::reduce_scatter, Collective::allreduce};

void expect_proven(const Spec& spec, const Machine& machine, const std::string& choice) {
  SCOPED_TRACE(to_text(spec) + " " + choice);
  const Choice chosen = parse_choice(choice);
  if (!chosen.algorithm->illegal(spec, machine, chosen.params).empty()) return;
  const Built built = build(spec, machine, chosen);
  const Proof proof = verify(spec, testing::in_turns(machine), *built.schedule, built.claims, {.use_symmetry = false});
  ASSERT_TRUE(proof.holds) << proof.counterexample->text;
  const Cost counted = count(spec, machine, *built.schedule).cost;
  EXPECT_EQ(testing::to_text(counted), testing::to_text(built.formula));
  const Seconds least = chosen.algorithm->least(spec, machine, chosen.params);
  EXPECT_LE(least, seconds(counted, machine, *spec.topology) * (1 + 1e-9));
}

TEST(Searched, IsProvenAndNeverBelowItsLeast) {
  Machine one = load_machine("cluster"), half = one;
  one.ports = Ports::one, half.duplex = Duplex::half;
  for (const char* network :
       {"torus:4x4!0-1", "torus:4x4@0,1,4,5,10", "torus:4x4~6,7,15", "kautz:2,3", "debruijn:2,3", "dgx1-v100",
        "dgx-a100:2", "mi250:1", "fattree:4!16-24", "dragonfly:2,1,1", "star:5", "hypercube:3!0-1", "path:5", "full:4"})
    for (const Collective c : collectives_searched)
      for (const Machine& machine : {load_machine("cluster"), one, half})
        for (const char* chunks : {"1", "5"})
          expect_proven(question(c, network, 1001), machine, std::string(to_string(c)) + "_rarest:chunks=" + chunks);
}

/// A third of the ranks, or more, and links between any.
std::string random_network(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::string text = "torus:" + std::to_string(2 + below(3)) + "x" + std::to_string(3 + below(3));
  const Rank ranks = parse_topology(text)->ranks();
  std::string gone;
  for (Rank r = 0; r < ranks; ++r)
    if (r > 4 && below(4) == 0) gone += (gone.empty() ? "" : ",") + std::to_string(r);
  return gone.empty() ? text + "!0-1" : text + "~" + gone;
}

/// A network that falls apart is refused when it is named; all others have a plan that is proven.
TEST(Searched, EveryPartOfATorusHasAProvenPlan) {
  std::mt19937 random(11);
  int planned = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string network = random_network(random);
    try {
      parse_topology(network);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::argument);
      continue;
    }
    const Collective c = collectives_searched[static_cast<std::size_t>(i) % collectives_searched.size()];
    const Plan made = plan(question(c, network, 5000), load_machine("cluster"));
    ASSERT_TRUE(made.possible()) << network;
    EXPECT_TRUE(made.mistakes.empty()) << network;
    EXPECT_GE(made.best().time, made.bound.time * (1 - 1e-9)) << network;
    ++planned;
  }
  EXPECT_GT(planned, 20);
}

/// The bound is the cut of the failed link's rank: three links for all others' blocks.
TEST(Searched, ReachesTheBoundsVolumeWhereALinkHasFailed) {
  Machine machine = load_machine("cluster");
  machine.alpha = machine.per_hop = machine.overhead_send = machine.overhead_receive = 0;
  const Spec spec = question(Collective::allgather, "torus:4x4!0-1", 1 << 20);
  const Plan made = plan(spec, machine);
  EXPECT_EQ(made.best().algorithm->name, "allgather_rarest");
  EXPECT_LE(made.gap(), 1.0001);
}

/// A plan of another size asks for all numbers of trees again.
TEST(Searched, TreesAreLookedForOnce) {
  using algorithm::kit::forest_plan;
  std::vector<flow::Arc> arcs;
  for (flow::Vertex v = 0; v < 6; ++v) arcs.insert(arcs.end(), {{v, (v + 1) % 6, 1}, {v, (v + 5) % 6, 1}});
  const algorithm::kit::ForestQuestion ring{{6, {0, 1, 2, 3, 4, 5}, arcs}, flow::Words(6, 1)};
  std::vector<std::shared_ptr<const algorithm::kit::ForestPlan>> first;
  for (std::int64_t trees = 1; trees <= 12; ++trees) first.push_back(forest_plan(ring, trees));
  for (std::int64_t trees = 1; trees <= 12; ++trees)
    EXPECT_EQ(forest_plan(ring, trees), first[static_cast<std::size_t>(trees - 1)]) << trees;
}

TEST(Searched, WaysAreThoseOfTheSameNetworkReadAgain) {
  using algorithm::kit::ways_of;
  const Machine machine = load_machine("cluster");
  const auto ways = ways_of(parse_topology("torus:4x4!0-1"), machine);
  EXPECT_EQ(ways_of(parse_topology("torus:4x4!0-1"), machine), ways);
  EXPECT_NE(ways_of(parse_topology("torus:4x4!0-4"), machine), ways);
}

}  // namespace
}  // namespace quadrille::searched_test
