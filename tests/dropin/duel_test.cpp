// MPI's own call and a plan that answer the same calls: with times that are given, not taken.
#include "dropin/decide/duel.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "dropin/decide/contest.hpp"

namespace quadrille::dropin {
namespace {

struct Times {
  double native, plan, bytes = 1000;
};

/// Calls of so many bytes until all have looked.
std::int64_t pause(Duel& duel, double bytes) {
  std::int64_t calls = 1;
  while (!duel.pause_ends(bytes)) ++calls;
  duel.look(duel.mean());
  return calls;
}

/// Holds a duel until it is over; `time` says what its call number n takes, counted from 0. How many calls it took.
int hold(Duel& duel, const std::function<Times(int)>& time) {
  int calls = 0;
  while (duel.running()) {
    const Times t = time(calls++);
    if (duel.took(t.native, t.plan, t.bytes)) duel.judge();
  }
  return calls;
}

constexpr int clear = Duel::turns + 1, at_most = Duel::most_turns + 1;

TEST(Duel, IsOverAfterOneRoundWhereItIsClear) {
  Duel duel;
  EXPECT_EQ(hold(duel, [](int) { return Times{10, 5}; }), clear);
  EXPECT_TRUE(duel.plan_wins());
  EXPECT_EQ(duel.native(), 10);
  EXPECT_EQ(duel.plan(), 5);
}

TEST(Duel, TheFirstCallDoesNotCount) {
  Duel duel;
  EXPECT_EQ(hold(duel, [](int n) { return n == 0 ? Times{1000, 1} : Times{10, 20}; }), clear);
  EXPECT_FALSE(duel.plan_wins());
}

TEST(Duel, ThePlanMustWinByTheMargin) {
  for (const double plan : {0.96, 0.94}) {
    Duel duel;
    hold(duel, [&](int) { return Times{1, plan}; });
    EXPECT_EQ(duel.plan_wins(), plan < 0.95) << plan;
  }
}

TEST(Duel, WhatTakesLongDecidesAmongCallsOfManySizes) {
  // Short calls are slower by the plan, long ones faster. Every second call is long: in all the plan takes 64 of 108.
  Duel duel;
  hold(duel, [](int n) { return n % 2 == 0 ? Times{4, 8} : Times{50, 24}; });
  EXPECT_TRUE(duel.plan_wins());
}

TEST(Duel, GoesOnWhileOneCallDecides) {
  // Without its fourth call, in which others used the machine, the plan is slower.
  Duel duel;
  EXPECT_GT(hold(duel, [](int n) { return n == 3 ? Times{100, 11} : Times{10, 11}; }), clear);
}

TEST(Duel, EndsWhereNothingIsEverClear) {
  // One long call among short ones says everything, however many there are.
  Duel duel;
  EXPECT_EQ(hold(duel, [](int n) { return n == 1 ? Times{1000, 10} : Times{10, 11}; }), at_most);
}

TEST(Duel, BothGoFirstEquallyOften) {
  Duel duel;
  int first = 0;
  const int calls = hold(duel, [&](int) {
    first += duel.plan_first();
    return Times{1, 1};
  });
  EXPECT_EQ(first, calls / 2);
}

TEST(Duel, IsHeldAgainWhereCallsBecomeTwiceOrHalfAsLong) {
  for (const double bytes : {501.0, 1999.0, 500.0, 2000.0}) {
    Duel duel;
    hold(duel, [](int) { return Times{10, 5}; });
    EXPECT_EQ(pause(duel, bytes), Duel::shortest_pause);
    EXPECT_EQ(duel.running(), bytes == 500 || bytes == 2000) << bytes;
  }
}

TEST(Duel, SizesAreComparedWithThoseOfTheLastDuel) {
  Duel duel;
  hold(duel, [](int) { return Times{10, 5}; });
  pause(duel, 5000);
  hold(duel, [](int) { return Times{10, 5, 5000}; });
  pause(duel, 5000);
  EXPECT_FALSE(duel.running());
  pause(duel, 1000);
  EXPECT_TRUE(duel.running());
}

TEST(Duel, PausesGrowUntilTheOtherWins) {
  Duel duel;
  hold(duel, [](int) { return Times{10, 5}; });
  double bytes = 1000;
  for (const std::int64_t expected : {1, 2, 4, 8}) {
    bytes *= 3;
    EXPECT_EQ(pause(duel, bytes), expected * Duel::shortest_pause);
    ASSERT_TRUE(duel.running());
    hold(duel, [&](int) { return Times{10, 5, bytes}; });
  }
  EXPECT_EQ(pause(duel, 1), 16 * Duel::shortest_pause);
  hold(duel, [](int) { return Times{5, 10, 1}; });
  EXPECT_FALSE(duel.plan_wins());
  EXPECT_EQ(pause(duel, 1), Duel::shortest_pause);
}

TEST(Duel, ShortCallsAreMadeInARowAfterTheFirstRound) {
  // A single call is faster by the plan, many in a row are not.
  Duel duel;
  const auto time = [&](int n) {
    EXPECT_EQ(duel.calls(), n < clear ? 1u : Contest::in_a_row);
    return duel.calls() == 1 ? Times{9e-6, 6e-6} : Times{3e-6, 4e-6};
  };
  EXPECT_EQ(hold(duel, time), clear + static_cast<int>(Duel::turns));
  EXPECT_FALSE(duel.plan_wins());
  EXPECT_EQ(duel.native(), 3e-6);
  pause(duel, 9000);
  EXPECT_TRUE(duel.running());
  EXPECT_EQ(duel.calls(), 1u);
}

TEST(Duel, LooksThatFindNothingGetRarer) {
  Duel duel;
  hold(duel, [](int) { return Times{5, 10}; });
  for (std::int64_t expected = Duel::shortest_pause; expected < Duel::longest_between_looks; expected *= 2)
    EXPECT_EQ(pause(duel, 1000), expected);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pause(duel, 1000), Duel::longest_between_looks);
  EXPECT_EQ(pause(duel, 9000), Duel::longest_between_looks);
  EXPECT_TRUE(duel.running());
}

TEST(Duel, CallsThatRestWithMpiAreCountedUntilThePauseEnds) {
  Duel duel;
  EXPECT_FALSE(duel.rests_with_mpi());
  hold(duel, [](int) { return Times{5, 10}; });
  std::int64_t calls = 0;
  for (; duel.rests_with_mpi(); ++calls) duel.count(3000);
  EXPECT_EQ(calls, Duel::shortest_pause - 1);
  EXPECT_TRUE(duel.pause_ends(3000));
  EXPECT_EQ(duel.mean(), 3000);
  Duel other;
  hold(other, [](int) { return Times{10, 5}; });
  EXPECT_FALSE(other.rests_with_mpi());
}

TEST(Duel, WhatIsKnownIsNotTried) {
  Duel duel(true);
  EXPECT_FALSE(duel.running());
  EXPECT_TRUE(duel.plan_wins());
  for (std::int64_t i = 0; i < 2 * Duel::shortest_pause; ++i) ASSERT_FALSE(duel.pause_ends(i % 2 == 0 ? 1 : 1e6));
}

}  // namespace
}  // namespace quadrille::dropin
