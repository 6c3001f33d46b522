// Plans in use: with times that are given, not taken.
#include "dropin/decide/plan_watch.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "dropin/decide/budget.hpp"

namespace quadrille::dropin {
namespace {

struct Course {
  std::int64_t plan = 0, native = 0, agreements = 0;  ///< calls, and how often ranks talked
  double seconds = 0;
  bool lost = false;
};

/// So many calls of a byte; each way takes what `plan` and `native` say of the number of the call.
Course watched(PlanWatch watch, std::int64_t calls, const std::function<double(std::int64_t)>& plan,
               const std::function<double(std::int64_t)>& native) {
  Course course;
  for (std::int64_t i = 0; i < calls; ++i) {
    const bool by_plan = !watch.lost() && !watch.native_turn();
    const double took = by_plan ? plan(i) : native(i);
    course.seconds += took;
    ++(by_plan ? course.plan : course.native);
    if (watch.lost()) continue;
    if (!watch.took(took, 1)) continue;
    ++course.agreements;
    watch.judge(watch.mean());
  }
  course.lost = watch.lost();
  return course;
}

double one(std::int64_t) { return 1e-6; }

TEST(PlanWatch, APlanThatWonByChanceGoesAfterAFewCalls) {
  // It looked twice as fast in its trial, and takes a thousand times as long.
  const Course c = watched(
      {2e-6, 1e-6}, 16384, [](std::int64_t) { return 1e-3; }, one);
  EXPECT_TRUE(c.lost);
  EXPECT_EQ(c.plan, 2 * PlanWatch::shortest);
  EXPECT_LT(c.seconds, 16384e-6 + 2 * PlanWatch::shortest * 1e-3);
}

TEST(PlanWatch, MpiIsAskedAgainThoughThePlanKeepsItsPromise) {
  // The plan takes what it took in the trial; what was wrong in it is MPI's time.
  const Course c = watched(
      {10e-6, 5e-6}, 1000, [](std::int64_t) { return 5e-6; }, one);
  EXPECT_TRUE(c.lost);
  EXPECT_EQ(c.plan, 2 * PlanWatch::shortest);
}

TEST(PlanWatch, APlanThatIsKnownFromAFileIsAskedToo) {
  EXPECT_TRUE(watched(
                  {}, 1000, [](std::int64_t) { return 3e-6; }, one)
                  .lost);
  EXPECT_FALSE(watched(
                   {}, 1000, [](std::int64_t) { return 0.9e-6; }, one)
                   .lost);
}

TEST(PlanWatch, AGoodPlanStaysAndCostsLittle) {
  const std::int64_t calls = 1 << 20;
  const Course c = watched({2e-6, 1e-6}, calls, one, [](std::int64_t) { return 2e-6; });
  EXPECT_FALSE(c.lost);
  EXPECT_GT(c.native, 0);
  EXPECT_LT(c.native, calls / 400);
  EXPECT_LT(c.agreements, calls / 200);
}

TEST(PlanWatch, LongCallsAreComparedByFew) {
  const auto plan = [](std::int64_t) { return 0.13; };
  const Course good = watched({0.66, 0.13}, 128, plan, [](std::int64_t) { return 0.66; });
  EXPECT_FALSE(good.lost);
  EXPECT_EQ(good.native, PlanWatch::fewest);
  const Course bad = watched({0.66, 0.13}, 128, plan, [](std::int64_t) { return 0.1; });
  EXPECT_TRUE(bad.lost);
  EXPECT_EQ(bad.plan, PlanWatch::shortest + PlanWatch::fewest);
}

TEST(PlanWatch, OneLongCallThatWasDisturbedIsNoReason) {
  const auto plan = [](std::int64_t i) { return i == 3 ? 5 : 0.13; };
  EXPECT_FALSE(watched({0.2, 0.13}, 512, plan, [](std::int64_t) { return 0.2; }).lost);
}

TEST(PlanWatch, AMachineThatBecomesBusyLaterIsSeen) {
  const std::int64_t until = 100000;
  const Course c = watched(
      {2e-6, 1e-6}, 2 * until, [&](std::int64_t i) { return i < until ? 1e-6 : 1e-3; },
      [](std::int64_t) { return 2e-6; });
  EXPECT_TRUE(c.lost);
  EXPECT_LT(c.plan, until + 2 * PlanWatch::longest + PlanWatch::shortest);
}

TEST(PlanWatch, OneDisturbanceIsNoReason) {
  for (std::int64_t at = 0; at < 600; ++at) {
    const Course c = watched(
        {2e-6, 1e-6}, 2000, [&](std::int64_t i) { return i == at ? 1 : 1e-6; }, [](std::int64_t) { return 2e-6; });
    EXPECT_FALSE(c.lost) << at;
  }
}

TEST(PlanWatch, WhereAllBecomesSlowThePlanStays) {
  // Ranks that wait for a late one wait in MPI's calls as well.
  const Course c = watched(
      {2e-6, 1e-6}, 50000, [](std::int64_t) { return 1e-3; }, [](std::int64_t) { return 1e-3; });
  EXPECT_FALSE(c.lost);
  EXPECT_GT(c.plan, 45000);
}

TEST(Budget, IsAPartOfTheTimeSinceTheBegin) {
  const Budget budget = parse_budget("2%");
  EXPECT_DOUBLE_EQ(budget.share, 0.02);
  EXPECT_TRUE(budget.in_time(Budget::at_once, 0));
  EXPECT_FALSE(budget.in_time(Budget::at_once + 0.03, 1));
  EXPECT_TRUE(budget.in_time(Budget::at_once + 0.03, 2));
  EXPECT_FALSE(budget.worth_it(2e-3, 1e-3));
  EXPECT_TRUE(budget.worth_it(1e-3, 2e-3));
  // The first trial waits until ranks have agreed once, and one on a busy machine until it is a small part of the run.
  EXPECT_FALSE(budget.in_time(Budget::beginning(1e-3, 0, 0), 100));
  EXPECT_TRUE(budget.in_time(Budget::beginning(1e-3, 10, 10e-6), 0));
  EXPECT_FALSE(budget.in_time(Budget::beginning(1e-3, 10, 100e-3), 1));
  EXPECT_FALSE(parse_budget("0%").in_time(0, 1000));
  EXPECT_GT(budget.patience(0.1, 1), budget.patience(0.01, 1));
  EXPECT_TRUE(parse_budget("off").in_time(1e9, 0));
  EXPECT_TRUE(parse_budget("off").worth_it(1e9, 0));
}

TEST(Budget, SaysWhatItAccepts) {
  for (const char* const wrong : {"", "5", "%", "-1%", "101%", "nan%", "much", "5%%", "inf%"}) {
    try {
      parse_budget(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("from 0% to 100%"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace quadrille::dropin
