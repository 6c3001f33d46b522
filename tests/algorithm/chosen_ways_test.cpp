// Schedules that choose the ways of their messages: proven and counted on these, never slower than by routes.
#include "algorithm/kit/chosen_ways.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "files/file.hpp"
#include "listed.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/simulate.hpp"
#include "sampled.hpp"
#include "sound.hpp"

namespace quadrille::chosen_ways_test {
namespace {

using testing::Listed;
using testing::request;

Machine of_today() {
  Machine m = load_machine("cluster");
  m.alpha = 0, m.overhead_send = m.overhead_receive = 0, m.per_hop = 0;
  return m;
}

// Four hosts under two switches and two above them. 0 -> 2 and 1 -> 3 go by one switch above each, so that no link has
// two messages; the lowest way would take both over the first.
TEST(ChosenWays, TwoMessagesAvoidEachOther) {
  const Machine m = of_today();
  for (const char* routes : {"shortest", "chosen"}) {
    const Spec spec = request(Collective::allgather, std::string("xgft:2;2,2;1,2:routes=") + routes, 1000);
    const Shape shape{.ranks = 4, .in = 1, .out = 4, .cut = {.bytes = 1000}};
    const testing::Rounds both{
        {{0, 2, {{Buffer::out, 0}}, {{Buffer::out, 0}}}, {1, 3, {{Buffer::out, 1}}, {{Buffer::out, 1}}}}};
    const SchedulePtr schedule = algorithm::kit::on_chosen_ways(spec, m, std::make_shared<Listed>(shape, both));
    const bool chooses = spec.topology->chooses_ways();
    EXPECT_EQ(count(spec, m, *schedule).contention, chooses ? 1 : 2) << routes;
    const Seconds alone = 1000 * m.beta;
    EXPECT_NEAR(simulate(spec, m, *schedule, {.network = Network::fluid}).makespan, (chooses ? 1 : 2) * alone,
                1e-9 * alone);
  }
}

TEST(ChosenWays, EveryAlgorithmIsProvenAndNoSlower) {
  const Machine m = load_machine("cluster");
  int cases = 0, faster = 0;
  for (const std::string network :
       {"fattree:4", "flatbfly:2,3", "torus:4x4@0,1,4,5,10", "dgx-a100:1", "xgft:2;2,4;2,2"})
    for (const Algorithm& a : algorithms()) {
      const std::string chosen = network + ":routes=chosen";
      if (!testing::can_request(a.collective, chosen)) continue;
      const Spec spec = request(a.collective, chosen, 4000);
      if (!testing::sampled(testing::command(spec, m, a, {})) || !a.illegal(spec, m, {}).empty()) continue;
      const Built built = build(spec, m, {&a, {}});
      SCOPED_TRACE(testing::command(spec, m, a, built.choice.params));
      const Proof proof = verify(spec, m, *built.schedule, built.claims);
      EXPECT_TRUE(proof.holds);
      const Cost counted = count(spec, m, *built.schedule).cost;
      EXPECT_EQ(testing::to_text(counted), testing::to_text(built.formula));
      const Spec routed = by_routes(spec);
      const Seconds time = seconds(counted, m, *spec.topology),
                    by_routes = seconds(build(routed, m, built.choice).formula, m, *routed.topology);
      EXPECT_LE(time, by_routes);
      EXPECT_GE(time, lower_bound(spec, m).time * (1 - 1e-9));
      ++cases, faster += time < by_routes * 0.99 ? 1 : 0;
    }
  EXPECT_GT(cases, testing::sanitized ? 20 : 250);
  EXPECT_GT(faster, testing::sanitized ? 2 : 40);
}

// What is simulated takes the ways, too: an exchange on a job of a torus.
TEST(ChosenWays, AreSimulated) {
  const Machine m = of_today();
  const Spec spec = request(Collective::alltoall, "torus:4x4@0,1,4,5,10:routes=chosen", 1 << 20);
  const Choice choice = parse_choice("alltoall_linear");
  const Built chosen = build(spec, m, choice), routed = build(by_routes(spec), m, choice);
  const auto time = [&](const Built& b) {
    return simulate(spec, m, *b.schedule, {.network = Network::fluid}).makespan;
  };
  EXPECT_GT(time(routed), 1.5 * time(chosen));
  EXPECT_NEAR(time(chosen), lower_bound(spec, m).time, 0.05 * time(chosen));
}

TEST(ChosenWays, PlansAreNoSlowerAndSayWhatWasLeftOut) {
  const Machine m = load_machine("cluster");
  for (const std::string network : {"fattree:4", "flatbfly:3,3", "torus:4x4@0,1,4,5,10", "dragonfly:2,1,1"})
    for (const Collective c : {Collective::bcast, Collective::allgather, Collective::alltoall, Collective::allreduce}) {
      const Spec spec = request(c, network + ":routes=chosen", 1 << 20);
      SCOPED_TRACE(to_text(spec));
      const Plan chosen = plan(spec, m), routed = plan(by_routes(spec), m);
      ASSERT_TRUE(chosen.possible());
      EXPECT_LE(chosen.best().time, routed.best().time);
      EXPECT_EQ(chosen.best().assurance.how, Assurance::How::proven);
      EXPECT_EQ(chosen.spec.topology->text(), spec.topology->text());
      EXPECT_GE(chosen.refused.size(), routed.refused.size());
    }
}

/// By routes many trees take nine times as long as by their own ways, and longer than everything else.
TEST(ChosenWays, PlansTryTreesOnTheirOwnWays) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "own ways.net";
  files::write_file(file.string(), R"(unit 1GB/s
host v0 v1 v2 v3 v4 v5 v6 v7
switch v8 v9 v10 v11
routes chosen
link v10 v2 8GB/s
link v0 v2 111GB/s
link v9 v10 115GB/s
link v6 v2 59GB/s
link v5 v2 82GB/s
link v3 v2 6GB/s
link v8 v2 139GB/s
link v7 v9 98GB/s
link v11 v2 109GB/s
link v4 v9 136GB/s
link v1 v8 113GB/s
link v3 v5 60GB/s
link v10 v3 118GB/s
link v4 v0 107GB/s
link v8 v10 26GB/s
link v11 v4 31GB/s
link v11 v5 129GB/s
link v6 v8 49GB/s
link v9 v0 123GB/s
link v3 v6 107GB/s
link v5 v8 96GB/s
link v1 v7 131GB/s
link v1 v2 134GB/s
link v6 v5 126GB/s
link v11 v0 121GB/s
link v11 v9 149GB/s
link v6 v10 44GB/s
)");
  Machine m = of_today();
  m.beta = 1e-12, m.rho = 0, m.gamma = 0;
  EXPECT_LE(plan(request(Collective::allreduce, "graph:" + file.string(), 8 << 20), m).gap(), 1.04);
}

}  // namespace
}  // namespace quadrille::chosen_ways_test
