// Turns of MPI's own collective and of plans: with times that are given, not taken.
#include "dropin/decide/contest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

namespace quadrille::dropin {
namespace {

/// Holds turns until it is over; `time` says how long a way takes in its turn number n, counted from 0.
template <class Time>
std::map<std::size_t, int> hold(Contest& contest, Time time) {
  std::map<std::size_t, int> turns;
  while (contest.running()) {
    const std::size_t way = contest.next();
    if (contest.took(time(way, turns[way]++), 1)) contest.judge();
  }
  return turns;
}

Contest between(const std::vector<std::string>& plans) {
  Contest contest;
  contest.begin(plans, false);
  return contest;
}

TEST(Contest, IsOverAfterOneRoundWhereItIsClear) {
  Contest contest = between({"fast", "slow"});
  const auto turns = hold(contest, [](std::size_t way, int) { return std::array{10.0, 5.0, 20.0}[way]; });
  EXPECT_EQ(turns, (std::map<std::size_t, int>{{0, 4}, {1, 4}, {2, 4}}));
  EXPECT_EQ(contest.winner(), 1u);
  EXPECT_EQ(contest.ways()[1].per_byte, 5.0);
}

/// Of calls that take `single` micros alone, `row` in a row and `again` alone thereafter, native and two plans; who
/// won.
std::size_t short_contest(std::array<double, 3> single, std::array<double, 3> row, std::array<double, 3> again,
                          std::map<std::size_t, int> expected) {
  Contest contest;
  contest.begin({"plan", "other"}, false);
  std::map<std::size_t, int> turns;
  bool were_in_a_row = false;
  while (contest.running()) {
    const std::size_t way = contest.next();
    EXPECT_TRUE(contest.calls() == 1 || contest.calls() == Contest::in_a_row);
    were_in_a_row = were_in_a_row || contest.calls() > 1;
    ++turns[way];
    const auto& times = contest.calls() > 1 ? row : were_in_a_row ? again : single;
    if (contest.took(times[way] * 1e-6, 100)) contest.judge();
  }
  EXPECT_EQ(turns, expected);
  return contest.winner();
}

TEST(Contest, APlanForShortCallsHasToWinInARowAndOnceMoreToo) {
  EXPECT_EQ(short_contest({9, 6, 8}, {3, 4, 1}, {9, 6, 8}, {{0, 12}, {1, 12}, {2, 8}}), 0u);
  EXPECT_EQ(short_contest({9, 6, 8}, {3, 2, 1}, {9, 6, 8}, {{0, 20}, {1, 20}, {2, 8}}), 1u);
  EXPECT_EQ(short_contest({9, 6, 8}, {3, 2, 1}, {9, 10, 8}, {{0, 20}, {1, 20}, {2, 8}}), 0u);
  EXPECT_EQ(short_contest({9, 8, 6}, {3, 1, 2}, {9, 9, 6}, {{0, 20}, {1, 8}, {2, 20}}), 2u);
  EXPECT_EQ(short_contest({5, 6, 8}, {3, 1, 1}, {9, 6, 8}, {{0, 8}, {1, 8}, {2, 8}}), 0u);  // native has won already
  // Of longer calls, once more, but not in a row; of long ones nothing.
  EXPECT_EQ(short_contest({900, 510, 800}, {3, 4, 1}, {9, 9, 9}, {{0, 16}, {1, 16}, {2, 8}}), 1u);
  EXPECT_EQ(short_contest({9000, 5100, 8000}, {3, 4, 1}, {9, 9, 9}, {{0, 4}, {1, 4}, {2, 4}}), 1u);
}

/// Of an exchange: who won, and by how many calls in a row.
std::pair<std::size_t, std::size_t> exchange_contest(std::array<double, 3> single, std::array<double, 3> row) {
  Contest contest;
  contest.begin({"plan", "other"}, false, true);
  std::map<std::size_t, std::size_t> turns;
  while (contest.running()) {
    const std::size_t calls = contest.calls();
    ++turns[calls];
    if (contest.took((calls == 1 ? single : row)[contest.next()] * 1e-6, 100)) contest.judge();
  }
  EXPECT_EQ(turns[1], 3 * Contest::turns);
  if (turns.size() > 1) {
    EXPECT_EQ(turns.rbegin()->second, 2 * 3 * Contest::turns);
  }
  return {contest.winner(), turns.rbegin()->first};
}

TEST(Contest, ShortExchangesAreComparedInARow) {
  using Result = std::pair<std::size_t, std::size_t>;
  constexpr std::size_t some = Contest::few_in_a_row, many = Contest::in_a_row;
  EXPECT_EQ(exchange_contest({9, 6, 8}, {3, 4, 5}), Result(0, many));
  EXPECT_EQ(exchange_contest({5, 6, 8}, {3, 2, 4}), Result(1, many));  // native was faster alone
  EXPECT_EQ(exchange_contest({900, 810, 800}, {900, 950, 700}), Result(2, some));
  EXPECT_EQ(exchange_contest({9000, 5100, 8000}, {3, 4, 1}), Result(1, 1));  // calls are long
}

TEST(Contest, TheFirstTurnDoesNotCount) {
  Contest contest = between({"plan"});
  hold(contest, [](std::size_t way, int n) { return way == 1 ? (n == 0 ? 1000.0 : 5.0) : 10.0; });
  EXPECT_EQ(contest.winner(), 1u);
}

TEST(Contest, GoesOnWhileTimesOverlapAndIsNotDeceivedByALuckyStart) {
  // Native takes 10; the plan 8, 8 and 11 in the turns of the first round that count, then always 11. The middle of the
  // plan's times is 8 of (8, 8, 11), but 11 is above native's 10, so they overlap.
  Contest contest = between({"plan"});
  const auto turns = hold(contest, [](std::size_t way, int n) { return way == 0 ? 10.0 : n < 3 ? 8.0 : 11.0; });
  EXPECT_GT(turns.at(0), 4);
  EXPECT_EQ(turns.at(0), turns.at(1));
  EXPECT_EQ(contest.winner(), 0u);
}

TEST(Contest, EndsWhereNothingIsEverClear) {
  // Both take 10 and 20 by turns, the plan also 19 in place of 20: no difference that counts.
  Contest contest = between({"plan"});
  const auto turns = hold(contest, [](std::size_t way, int n) { return n % 2 == 0 ? 10.0 : way == 0 ? 20.0 : 19.0; });
  EXPECT_EQ(turns.at(0), static_cast<int>(Contest::most_turns));
  EXPECT_EQ(contest.winner(), 0u);
}

TEST(Contest, AWayThatIsOutGetsNoFurtherTurns) {
  // The first two overlap for ever, the third never.
  Contest contest = between({"like native", "slow"});
  const auto turns = hold(contest, [](std::size_t way, int n) { return way == 2 ? 50.0 : n % 2 == 0 ? 10.0 : 20.0; });
  EXPECT_EQ(turns.at(2), static_cast<int>(Contest::turns));
  EXPECT_EQ(turns.at(1), static_cast<int>(Contest::most_turns));
  EXPECT_TRUE(contest.ways()[2].out);
}

TEST(Contest, AShortTimeIsTheSchedulersForARound) {
  // The plan takes 0.7 ms where native takes 1, but something else had the processor in the plan's first four turns.
  const auto time = [](std::size_t way, int n) { return way == 0 ? 1e-3 : n < 4 ? 3e-3 : 0.7e-3; };
  Contest contest = between({"plan"});
  hold(contest, time);
  EXPECT_EQ(contest.winner(), 1u);
  // Where calls are long it counts: there nothing else takes so long.
  Contest slow = between({"plan"});
  EXPECT_EQ(hold(slow, [&](std::size_t way, int n) { return 100 * time(way, n); }).at(1), 4);
  EXPECT_EQ(slow.winner(), 0u);
}

TEST(Contest, ShortTimesThatOverlapGetTwiceTheTurns) {
  Contest contest = between({"plan"});
  const auto turns = hold(contest, [](std::size_t, int n) { return n % 2 == 0 ? 1e-3 : 2e-3; });
  EXPECT_EQ(turns.at(0), static_cast<int>(2 * Contest::most_turns));
}

TEST(Contest, AShortCallsLuckDoesNotLast) {
  // The plan takes 0.8 ms in the first contest by chance, which is over after 8 turns; native takes 1, and so does it.
  Contest contest = between({"plan"});
  hold(contest, [](std::size_t way, int n) { return way == 1 && n < 8 ? 0.8e-3 : 1e-3; });
  EXPECT_EQ(contest.winner(), 0u);
}

TEST(Contest, TheLastComparisonOfShortCallsEnds) {
  // The plan wins in 8 turns; then both take 1 and 2 ms by turns.
  Contest contest = between({"plan"});
  const auto turns = hold(contest, [](std::size_t way, int n) {
    return n < 8 ? (way == 0 ? 1e-3 : 0.7e-3) : n % 2 == 0 ? 1e-3 : 2e-3;
  });
  EXPECT_EQ(turns.at(0), 8 + static_cast<int>(Contest::most_turns));
  EXPECT_EQ(contest.winner(), 0u);
}

TEST(Contest, NativeStaysWhereAPlanWinsByLessThanTheMargin) {
  for (const double time : {0.96, 0.94}) {
    Contest contest = between({"plan"});
    hold(contest, [&](std::size_t way, int) { return way == 0 ? 1.0 : time; });
    EXPECT_EQ(contest.winner(), time < Contest::must_win ? 1u : 0u) << time;
  }
}

TEST(Contest, OfVeryShortCallsTheMarginIsWider) {
  for (const double time : {0.92, 0.88}) {
    Contest contest = between({"plan"});
    hold(contest, [&](std::size_t way, int) { return (way == 0 ? 1.0 : time) * 100e-6; });
    EXPECT_EQ(contest.winner(), time < Contest::must_win_short ? 1u : 0u) << time;
  }
}

TEST(Contest, WhatIsKnownIsNotTried) {
  Contest contest;
  EXPECT_FALSE(contest.begun());
  contest.begin({"plan"}, true);
  EXPECT_TRUE(contest.begun());
  EXPECT_FALSE(contest.running());
  EXPECT_EQ(contest.winner(), 1u);
  contest.stop();
  EXPECT_EQ(contest.winner(), 0u);
}

}  // namespace
}  // namespace quadrille::dropin
