// Quick plans: first answers, whose prices are those of whole plans, without what is searched for.
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/plan.hpp"

namespace quadrille::quick_plan_test {
namespace {

struct Question {
  Collective collective;
  const char* topology;
  const char* machine;
  Bytes bytes;
};

class QuickPlans : public ::testing::TestWithParam<Question> {
 protected:
  Plan asked(bool quick) const {
    const Question& q = GetParam();
    const Spec spec{.collective = q.collective, .topology = parse_topology(q.topology), .bytes = q.bytes};
    return plan(spec, load_machine(q.machine), {.proof = 0, .quick = quick});
  }
};

TEST_P(QuickPlans, HaveThePricesOfWholePlansAndAreNeverFaster) {
  const Plan quick = asked(true), whole = asked(false);
  ASSERT_TRUE(quick.possible());
  EXPECT_EQ(quick.bound.time, whole.bound.time);
  EXPECT_GE(quick.best().time, whole.best().time);
  for (const Candidate& c : quick.candidates) {
    const auto same = std::find_if(whole.candidates.begin(), whole.candidates.end(), [&](const Candidate& other) {
      return other.algorithm == c.algorithm && other.params == c.params;
    });
    // A whole plan leaves out what takes more than twice as long as the best.
    if (same == whole.candidates.end())
      EXPECT_GE(c.time, 2 * whole.best().time) << to_text(*c.algorithm, c.params);
    else
      EXPECT_EQ(c.cost, same->cost) << to_text(*c.algorithm, c.params);
  }
}

TEST_P(QuickPlans, SearchForNothingAndSaySo) {
  const Plan quick = asked(true);
  for (const Algorithm& a : algorithms()) {
    if (a.collective != GetParam().collective || !a.searched) continue;
    EXPECT_TRUE(std::none_of(quick.candidates.begin(), quick.candidates.end(), [&](const Candidate& c) {
      return c.algorithm == &a;
    })) << a.name;
    EXPECT_TRUE(std::any_of(quick.refused.begin(), quick.refused.end(), [&](const Refusal& r) {
      return r.algorithm == &a && r.reason.find("a quick plan searches for nothing") != std::string::npos;
    })) << a.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Some, QuickPlans,
                         ::testing::Values(Question{Collective::allreduce, "fattree:4*4", "cluster", 1 << 16},
                                           Question{Collective::allgather, "torus:8x8", "paragon", 4096},
                                           Question{Collective::alltoall, "hypercube:6", "ipsc860", 100},
                                           Question{Collective::reduce_scatter, "fattree:8", "cluster", 1 << 20},
                                           Question{Collective::bcast, "dragonfly:2,2,1", "cluster", 1 << 20}));

TEST(QuickPlan, IsAWholeOneWhereNothingElseRuns) {
  const Spec spec{.collective = Collective::allgather, .topology = parse_topology("torus:4x4!0-1"), .bytes = 64};
  const Plan quick = plan(spec, load_machine("unit"), {.proof = 0, .quick = true});
  const Plan whole = plan(spec, load_machine("unit"), {.proof = 0});
  ASSERT_TRUE(whole.possible());
  ASSERT_TRUE(std::all_of(whole.candidates.begin(), whole.candidates.end(),
                          [](const Candidate& c) { return c.algorithm->searched; }));
  ASSERT_TRUE(quick.possible());
  EXPECT_EQ(quick.best().algorithm, whole.best().algorithm);
  EXPECT_EQ(quick.candidates.size(), whole.candidates.size());
}

}  // namespace
}  // namespace quadrille::quick_plan_test
