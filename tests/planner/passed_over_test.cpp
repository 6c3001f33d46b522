// What is cheap and then fails its proof, as circuits do that wait in a circle, keeps nothing else out of a plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "planner/assure.hpp"
#include "quadrille/plan.hpp"
#include "settings.hpp"

namespace quadrille::passed_over_test {
namespace {

using enum Collective;
constexpr std::int64_t proof = std::int64_t{1} << 26;

Machine circuits() {
  Machine machine = load_machine("cluster");
  machine.switching = Switching::circuit;
  return machine;
}

bool is_proven(const Plan& plan, const Choice& choice) {
  const planner::KnownPrice unknown;
  return planner::assure(plan.spec, plan.machine, choice, proof, plan.order, plan.network, unknown).how ==
         Assurance::How::proven;
}

// All the cheapest may come to a stop here; what goes round a cycle does not.
TEST(PassedOver, APlanIsFoundWhereTheCheapestStop) {
  const Plan found = plan(testing::request(allgather, "torus:4x4@0-15", 8), load_machine("ipsc860"));
  ASSERT_TRUE(found.possible());
  EXPECT_EQ(found.best().algorithm->name, "allgather_daisy");
  const auto stops = [](const Refusal& r) { return r.reason.find("may come to a stop") != std::string::npos; };
  EXPECT_TRUE(std::any_of(found.refused.begin(), found.refused.end(), stops));
  EXPECT_TRUE(found.mistakes.empty());
}

// Each algorithm as it is by itself, where it is cheaper than the plan, fails.
TEST(PassedOver, NothingThatIsProvenIsCheaperThanThePlan) {
  int failed = 0;
  for (const std::string topology : {"torus:4x4*2", "torus:4x4@0-15", "dragonfly:2,1,1"})
    for (const Collective c : {bcast, allgather, alltoall, allreduce, reduce_scatter}) {
      const Plan found = plan(testing::request(c, topology, 32), circuits());
      ASSERT_TRUE(found.possible());
      for (const Algorithm& a : algorithms()) {
        if (a.collective != c || !a.illegal(found.spec, found.machine, {}).empty()) continue;
        const Built built = build(found.spec, found.machine, {&a, {}});
        const Cost cost = count(found.spec, found.machine, *built.schedule).cost;
        if (seconds(cost, found.machine, *found.spec.topology) >= found.best().time * (1 - 1e-9)) continue;
        EXPECT_FALSE(is_proven(found, built.choice))
            << topology << " " << to_text(a, built.choice.params) << " is better than " << found.best().algorithm->name;
        ++failed;
      }
    }
  EXPECT_GT(failed, 10);
}

}  // namespace
}  // namespace quadrille::passed_over_test
