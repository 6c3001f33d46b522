// MPI's own call and a plan that answer the same calls: with times that are given, not taken.
#include "dropin/decide/exchange_trial.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "dropin/decide/choice_trial.hpp"

namespace quadrille::dropin {
namespace {

struct Times {
  double native, plan, bytes = 1000;
};

/// Calls of so many bytes until all have looked.
std::int64_t pause(ExchangeTrial& trial, double bytes) {
  std::int64_t calls = 1;
  while (!trial.pause_ends(bytes)) ++calls;
  trial.look(trial.mean());
  return calls;
}

/// Holds a trial until it is over; `time` says what its call number n takes, counted from 0. How many calls it took.
int hold(ExchangeTrial& trial, const std::function<Times(int)>& time) {
  int calls = 0;
  while (trial.running()) {
    const Times t = time(calls++);
    if (trial.took(t.native, t.plan, t.bytes)) trial.judge();
  }
  return calls;
}

constexpr int clear = ExchangeTrial::turns + 1, at_most = ExchangeTrial::most_turns + 1;

TEST(ExchangeTrial, IsOverAfterOneRoundWhereItIsClear) {
  ExchangeTrial trial;
  EXPECT_EQ(hold(trial, [](int) { return Times{10, 5}; }), clear);
  EXPECT_TRUE(trial.plan_wins());
  EXPECT_EQ(trial.native(), 10);
  EXPECT_EQ(trial.plan(), 5);
}

TEST(ExchangeTrial, TheFirstCallDoesNotCount) {
  ExchangeTrial trial;
  EXPECT_EQ(hold(trial, [](int n) { return n == 0 ? Times{1000, 1} : Times{10, 20}; }), clear);
  EXPECT_FALSE(trial.plan_wins());
}

TEST(ExchangeTrial, ThePlanMustWinByTheMargin) {
  for (const double plan : {0.96, 0.94}) {
    ExchangeTrial trial;
    hold(trial, [&](int) { return Times{1, plan}; });
    EXPECT_EQ(trial.plan_wins(), plan < 0.95) << plan;
  }
}

TEST(ExchangeTrial, WhatTakesLongDecidesAmongCallsOfManySizes) {
  // Short calls are slower by the plan, long ones faster. Every second call is long: in all the plan takes 64 of 108.
  ExchangeTrial trial;
  hold(trial, [](int n) { return n % 2 == 0 ? Times{4, 8} : Times{50, 24}; });
  EXPECT_TRUE(trial.plan_wins());
}

TEST(ExchangeTrial, GoesOnWhileOneCallDecides) {
  // Without its fourth call, in which others used the machine, the plan is slower.
  ExchangeTrial trial;
  EXPECT_GT(hold(trial, [](int n) { return n == 3 ? Times{100, 11} : Times{10, 11}; }), clear);
}

TEST(ExchangeTrial, EndsWhereNothingIsEverClear) {
  // One long call among short ones says everything, however many there are.
  ExchangeTrial trial;
  EXPECT_EQ(hold(trial, [](int n) { return n == 1 ? Times{1000, 10} : Times{10, 11}; }), at_most);
}

TEST(ExchangeTrial, BothGoFirstEquallyOften) {
  ExchangeTrial trial;
  int first = 0;
  const int calls = hold(trial, [&](int) {
    first += trial.plan_first();
    return Times{1, 1};
  });
  EXPECT_EQ(first, calls / 2);
}

TEST(ExchangeTrial, IsHeldAgainWhereCallsBecomeTwiceOrHalfAsLong) {
  for (const double bytes : {501.0, 1999.0, 500.0, 2000.0}) {
    ExchangeTrial trial;
    hold(trial, [](int) { return Times{10, 5}; });
    EXPECT_EQ(pause(trial, bytes), ExchangeTrial::shortest_pause);
    EXPECT_EQ(trial.running(), bytes == 500 || bytes == 2000) << bytes;
  }
}

TEST(ExchangeTrial, SizesAreComparedWithThoseOfTheLastTrial) {
  ExchangeTrial trial;
  hold(trial, [](int) { return Times{10, 5}; });
  pause(trial, 5000);
  hold(trial, [](int) { return Times{10, 5, 5000}; });
  pause(trial, 5000);
  EXPECT_FALSE(trial.running());
  pause(trial, 1000);
  EXPECT_TRUE(trial.running());
}

TEST(ExchangeTrial, PausesGrowUntilTheOtherWins) {
  ExchangeTrial trial;
  hold(trial, [](int) { return Times{10, 5}; });
  double bytes = 1000;
  for (const std::int64_t expected : {1, 2, 4, 8}) {
    bytes *= 3;
    EXPECT_EQ(pause(trial, bytes), expected * ExchangeTrial::shortest_pause);
    ASSERT_TRUE(trial.running());
    hold(trial, [&](int) { return Times{10, 5, bytes}; });
  }
  EXPECT_EQ(pause(trial, 1), 16 * ExchangeTrial::shortest_pause);
  hold(trial, [](int) { return Times{5, 10, 1}; });
  EXPECT_FALSE(trial.plan_wins());
  EXPECT_EQ(pause(trial, 1), ExchangeTrial::shortest_pause);
}

TEST(ExchangeTrial, ShortCallsAreMadeInARowAfterTheFirstRound) {
  // A single call is faster by the plan, many in a row are not.
  ExchangeTrial trial;
  const auto time = [&](int n) {
    EXPECT_EQ(trial.calls(), n < clear ? 1u : ChoiceTrial::in_a_row);
    return trial.calls() == 1 ? Times{9e-6, 6e-6} : Times{3e-6, 4e-6};
  };
  EXPECT_EQ(hold(trial, time), clear + static_cast<int>(ExchangeTrial::turns));
  EXPECT_FALSE(trial.plan_wins());
  EXPECT_EQ(trial.native(), 3e-6);
  pause(trial, 9000);
  EXPECT_TRUE(trial.running());
  EXPECT_EQ(trial.calls(), 1u);
}

TEST(ExchangeTrial, LooksThatFindNothingGetRarer) {
  ExchangeTrial trial;
  hold(trial, [](int) { return Times{5, 10}; });
  for (std::int64_t expected = ExchangeTrial::shortest_pause; expected < ExchangeTrial::longest_between_looks;
       expected *= 2)
    EXPECT_EQ(pause(trial, 1000), expected);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pause(trial, 1000), ExchangeTrial::longest_between_looks);
  EXPECT_EQ(pause(trial, 9000), ExchangeTrial::longest_between_looks);
  EXPECT_TRUE(trial.running());
}

TEST(ExchangeTrial, CallsThatRestWithMpiAreCountedUntilThePauseEnds) {
  ExchangeTrial trial;
  EXPECT_FALSE(trial.rests_with_mpi());
  hold(trial, [](int) { return Times{5, 10}; });
  std::int64_t calls = 0;
  for (; trial.rests_with_mpi(); ++calls) trial.count(3000);
  EXPECT_EQ(calls, ExchangeTrial::shortest_pause - 1);
  EXPECT_TRUE(trial.pause_ends(3000));
  EXPECT_EQ(trial.mean(), 3000);
  ExchangeTrial other;
  hold(other, [](int) { return Times{10, 5}; });
  EXPECT_FALSE(other.rests_with_mpi());
}

TEST(ExchangeTrial, WhatIsKnownIsNotTried) {
  ExchangeTrial trial(true);
  EXPECT_FALSE(trial.running());
  EXPECT_TRUE(trial.plan_wins());
  for (std::int64_t i = 0; i < 2 * ExchangeTrial::shortest_pause; ++i)
    ASSERT_FALSE(trial.pause_ends(i % 2 == 0 ? 1 : 1e6));
}

}  // namespace
}  // namespace quadrille::dropin
