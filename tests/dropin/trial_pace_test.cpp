// When a trial begins, rests and goes on: with costs that are given, not taken.
#include "dropin/decide/trial_pace.hpp"

#include <gtest/gtest.h>

namespace quadrille::dropin {
namespace {

std::int64_t calls_until_a_meeting(TrialPace& pace) {
  std::int64_t calls = 1;
  while (!pace.meets_before_this_call()) ++calls;
  return calls;
}

std::int64_t calls_at_rest(TrialPace& pace) {
  std::int64_t calls = 0;
  while (pace.rests()) ++calls;
  return calls;
}

constexpr Budget half{.share = 0.5};
constexpr TrialPace::Figures cheap{.cost = 1, .spent = 1, .since_begin = 100};

TEST(TrialPace, RanksMeetBeforeTheThirdCall) {
  TrialPace pace;
  EXPECT_EQ(calls_until_a_meeting(pace), 3);
}

TEST(TrialPace, RanksMeetAfterAsManyCallsAsAreMpis) {
  TrialPace at_once(0), late(7);
  EXPECT_EQ(calls_until_a_meeting(at_once), 1);
  EXPECT_EQ(calls_until_a_meeting(late), 8);
}

TEST(TrialPace, AMeetingThatIsPutOffIsAfterSoManyTimesTheCalls) {
  TrialPace pace;
  calls_until_a_meeting(pace);
  pace.postpone(4);
  EXPECT_EQ(calls_until_a_meeting(pace), 12 - 3);
  pace.postpone(16);
  EXPECT_EQ(calls_until_a_meeting(pace), 16 * 12 - 12);
}

TEST(TrialPace, GoesOnWhileItCanBeWonBack) {
  TrialPace pace;
  pace.begin(0.1);
  EXPECT_TRUE(pace.goes_on(half, cheap, 100, 0.5));  // 100 calls of 0.1 s, of which half can be won: 5 s
  EXPECT_TRUE(pace.goes_on(half, {.cost = 5, .spent = 1, .since_begin = 100}, 100, 0.5));
  EXPECT_FALSE(pace.goes_on(half, {.cost = 5.1, .spent = 1, .since_begin = 100}, 100, 0.5));
  EXPECT_TRUE(pace.goes_on(half, {.cost = 5.1, .spent = 1, .since_begin = 100}, 103, 0.5));
  EXPECT_TRUE(pace.goes_on({.limited = false}, {.cost = 5e9, .spent = 1e9, .since_begin = 1}, 1, 0.5));
}

TEST(TrialPace, GoesOnWhileAllTrialsAreInTime) {
  TrialPace pace;
  pace.begin(1);
  EXPECT_TRUE(pace.goes_on(half, {.cost = 0, .spent = 50, .since_begin = 100}, 100, 1));
  EXPECT_FALSE(pace.goes_on(half, {.cost = 0, .spent = 50.1, .since_begin = 100}, 100, 1));
}

TEST(TrialPace, RestsLongerEachTime) {
  TrialPace pace;
  EXPECT_EQ(calls_at_rest(pace), 0);
  std::int64_t expected = TrialPace::first_rest;
  for (int i = 0; i < 10; ++i) {
    pace.goes_on(half, {.cost = 1}, 0, 1);
    EXPECT_EQ(calls_at_rest(pace), expected);
    expected = std::min(2 * expected, TrialPace::longest_rest);
  }
  EXPECT_EQ(expected, TrialPace::longest_rest);
}

TEST(TrialPace, CostsWhatMpiWouldNotHaveTaken) {
  TrialPace pace;
  pace.begin(2);
  EXPECT_EQ(pace.took(5, true), 3);
  EXPECT_EQ(pace.took(1, false), 0);
  EXPECT_EQ(pace.next_turn(), 3);        // the last turn's; a call without one is none
  EXPECT_EQ(pace.cost_after_next(), 6);  // 3 until now, and as much for the next
  EXPECT_EQ(pace.took(6, false), 4);
  EXPECT_EQ(pace.cost_after_next(), 10);
}

TEST(TrialPace, IsTakenOverWithWhatItHasCost) {
  TrialPace earlier, later;
  earlier.begin(1);
  earlier.took(4, true);
  earlier.goes_on(half, {.cost = 1}, 0, 1);
  for (int i = 0; i < 2; ++i) later.meets_before_this_call();
  later.take_over(earlier);
  EXPECT_EQ(later.next_turn(), 0);
  EXPECT_EQ(later.cost_after_next(), 3);
  EXPECT_EQ(calls_at_rest(later), TrialPace::first_rest);
  EXPECT_TRUE(later.meets_before_this_call());  // the calls that it has seen itself count
}

}  // namespace
}  // namespace quadrille::dropin
