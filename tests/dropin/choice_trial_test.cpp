// Turns of MPI's own collective and of plans: with times that are given, not taken.
#include "dropin/decide/choice_trial.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

namespace quadrille::dropin {
namespace {

/// Holds turns until it is over; `time` says how long a choice takes in its turn number n, counted from 0.
template <class Time>
std::map<std::size_t, int> hold(ChoiceTrial& trial, Time time) {
  std::map<std::size_t, int> turns;
  while (trial.running()) {
    const std::size_t choice = trial.next();
    if (trial.took(time(choice, turns[choice]++), 1)) trial.judge();
  }
  return turns;
}

ChoiceTrial between(const std::vector<std::string>& plans) {
  ChoiceTrial trial;
  trial.begin(plans, false);
  return trial;
}

TEST(ChoiceTrial, IsOverAfterOneRoundWhereItIsClear) {
  ChoiceTrial trial = between({"fast", "slow"});
  const auto turns = hold(trial, [](std::size_t choice, int) { return std::array{10.0, 5.0, 20.0}[choice]; });
  EXPECT_EQ(turns, (std::map<std::size_t, int>{{0, 4}, {1, 4}, {2, 4}}));
  EXPECT_EQ(trial.winner(), 1u);
  EXPECT_EQ(trial.choices()[1].per_byte, 5.0);
}

/// Of calls that take `single` micros alone, `row` in a row and `again` alone thereafter, native and two plans; who
/// won.
std::size_t short_trial(std::array<double, 3> single, std::array<double, 3> row, std::array<double, 3> again,
                        std::map<std::size_t, int> expected) {
  ChoiceTrial trial;
  trial.begin({"plan", "other"}, false);
  std::map<std::size_t, int> turns;
  bool were_in_a_row = false;
  while (trial.running()) {
    const std::size_t choice = trial.next();
    EXPECT_TRUE(trial.calls() == 1 || trial.calls() == ChoiceTrial::in_a_row);
    were_in_a_row = were_in_a_row || trial.calls() > 1;
    ++turns[choice];
    const auto& times = trial.calls() > 1 ? row : were_in_a_row ? again : single;
    if (trial.took(times[choice] * 1e-6, 100)) trial.judge();
  }
  EXPECT_EQ(turns, expected);
  return trial.winner();
}

TEST(ChoiceTrial, APlanForShortCallsHasToWinInARowAndOnceMoreToo) {
  EXPECT_EQ(short_trial({9, 6, 8}, {3, 4, 1}, {9, 6, 8}, {{0, 12}, {1, 12}, {2, 8}}), 0u);
  EXPECT_EQ(short_trial({9, 6, 8}, {3, 2, 1}, {9, 6, 8}, {{0, 20}, {1, 20}, {2, 8}}), 1u);
  EXPECT_EQ(short_trial({9, 6, 8}, {3, 2, 1}, {9, 10, 8}, {{0, 20}, {1, 20}, {2, 8}}), 0u);
  EXPECT_EQ(short_trial({9, 8, 6}, {3, 1, 2}, {9, 9, 6}, {{0, 20}, {1, 8}, {2, 20}}), 2u);
  EXPECT_EQ(short_trial({5, 6, 8}, {3, 1, 1}, {9, 6, 8}, {{0, 8}, {1, 8}, {2, 8}}), 0u);  // native has won already
  // Of longer calls, once more, but not in a row; of long ones nothing.
  EXPECT_EQ(short_trial({900, 510, 800}, {3, 4, 1}, {9, 9, 9}, {{0, 16}, {1, 16}, {2, 8}}), 1u);
  EXPECT_EQ(short_trial({9000, 5100, 8000}, {3, 4, 1}, {9, 9, 9}, {{0, 4}, {1, 4}, {2, 4}}), 1u);
}

/// Of an exchange: who won, and by how many calls in a row.
std::pair<std::size_t, std::size_t> trial_in_a_row(std::array<double, 3> single, std::array<double, 3> row) {
  ChoiceTrial trial;
  trial.begin({"plan", "other"}, false, true);
  std::map<std::size_t, std::size_t> turns;
  while (trial.running()) {
    const std::size_t calls = trial.calls();
    ++turns[calls];
    if (trial.took((calls == 1 ? single : row)[trial.next()] * 1e-6, 100)) trial.judge();
  }
  EXPECT_EQ(turns[1], 3 * ChoiceTrial::turns);
  if (turns.size() > 1) {
    EXPECT_EQ(turns.rbegin()->second, 2 * 3 * ChoiceTrial::turns);
  }
  return {trial.winner(), turns.rbegin()->first};
}

TEST(ChoiceTrial, ShortExchangesAreComparedInARow) {
  using Result = std::pair<std::size_t, std::size_t>;
  constexpr std::size_t some = ChoiceTrial::few_in_a_row, many = ChoiceTrial::in_a_row;
  EXPECT_EQ(trial_in_a_row({9, 6, 8}, {3, 4, 5}), Result(0, many));
  EXPECT_EQ(trial_in_a_row({5, 6, 8}, {3, 2, 4}), Result(1, many));  // native was faster alone
  EXPECT_EQ(trial_in_a_row({900, 810, 800}, {900, 950, 700}), Result(2, some));
  EXPECT_EQ(trial_in_a_row({9000, 5100, 8000}, {3, 4, 1}), Result(1, 1));  // calls are long
}

TEST(ChoiceTrial, ThatEndsEarlyHasWhatIsClearlyFasterUntilThen) {
  for (const auto& [plan, best] : {std::pair{0.94, "b"}, std::pair{0.96, ""}}) {
    ChoiceTrial trial;
    trial.begin({"a", "b"}, false);
    const double times[] = {1, 1.5, plan};
    for (bool over = false; !over;) over = trial.took(times[trial.next()], 1);
    trial.judge();
    EXPECT_EQ(trial.best_until_now(), best);
  }
}

TEST(ChoiceTrial, TheFirstTurnDoesNotCount) {
  ChoiceTrial trial = between({"plan"});
  hold(trial, [](std::size_t choice, int n) { return choice == 1 ? (n == 0 ? 1000.0 : 5.0) : 10.0; });
  EXPECT_EQ(trial.winner(), 1u);
}

TEST(ChoiceTrial, GoesOnWhileTimesOverlapAndIsNotDeceivedByALuckyStart) {
  // Native takes 10; the plan 8, 8 and 11 in the turns of the first round that count, then always 11. The middle of the
  // plan's times is 8 of (8, 8, 11), but 11 is above native's 10, so they overlap.
  ChoiceTrial trial = between({"plan"});
  const auto turns = hold(trial, [](std::size_t choice, int n) { return choice == 0 ? 10.0 : n < 3 ? 8.0 : 11.0; });
  EXPECT_GT(turns.at(0), 4);
  EXPECT_EQ(turns.at(0), turns.at(1));
  EXPECT_EQ(trial.winner(), 0u);
}

TEST(ChoiceTrial, EndsWhereNothingIsEverClear) {
  // Both take 10 and 20 by turns, the plan also 19 in place of 20: no difference that counts.
  ChoiceTrial trial = between({"plan"});
  const auto turns = hold(trial, [](std::size_t choice, int n) {
    return n % 2 == 0 ? 10.0 : choice == 0 ? 20.0 : 19.0;
  });
  EXPECT_EQ(turns.at(0), static_cast<int>(ChoiceTrial::most_turns));
  EXPECT_EQ(trial.winner(), 0u);
}

TEST(ChoiceTrial, AChoiceThatIsOutGetsNoFurtherTurns) {
  // The first two overlap for ever, the third never.
  ChoiceTrial trial = between({"like native", "slow"});
  const auto turns = hold(trial, [](std::size_t choice, int n) {
    return choice == 2 ? 50.0 : n % 2 == 0 ? 10.0 : 20.0;
  });
  EXPECT_EQ(turns.at(2), static_cast<int>(ChoiceTrial::turns));
  EXPECT_EQ(turns.at(1), static_cast<int>(ChoiceTrial::most_turns));
  EXPECT_TRUE(trial.choices()[2].out);
}

TEST(ChoiceTrial, AShortTimeIsTheSchedulersForARound) {
  // The plan takes 0.7 ms where native takes 1, but something else had the processor in the plan's first four turns.
  const auto time = [](std::size_t choice, int n) { return choice == 0 ? 1e-3 : n < 4 ? 3e-3 : 0.7e-3; };
  ChoiceTrial trial = between({"plan"});
  hold(trial, time);
  EXPECT_EQ(trial.winner(), 1u);
  // Where calls are long it counts: there nothing else takes so long.
  ChoiceTrial slow = between({"plan"});
  EXPECT_EQ(hold(slow, [&](std::size_t choice, int n) { return 100 * time(choice, n); }).at(1), 4);
  EXPECT_EQ(slow.winner(), 0u);
}

TEST(ChoiceTrial, ShortTimesThatOverlapGetTwiceTheTurns) {
  ChoiceTrial trial = between({"plan"});
  const auto turns = hold(trial, [](std::size_t, int n) { return n % 2 == 0 ? 1e-3 : 2e-3; });
  EXPECT_EQ(turns.at(0), static_cast<int>(2 * ChoiceTrial::most_turns));
}

TEST(ChoiceTrial, AShortCallsLuckDoesNotLast) {
  // The plan takes 0.8 ms in the first trial by chance, which is over after 8 turns; native takes 1, and so does it.
  ChoiceTrial trial = between({"plan"});
  hold(trial, [](std::size_t choice, int n) { return choice == 1 && n < 8 ? 0.8e-3 : 1e-3; });
  EXPECT_EQ(trial.winner(), 0u);
}

TEST(ChoiceTrial, TheLastComparisonOfShortCallsEnds) {
  // The plan wins in 8 turns; then both take 1 and 2 ms by turns.
  ChoiceTrial trial = between({"plan"});
  const auto turns = hold(trial, [](std::size_t choice, int n) {
    return n < 8 ? (choice == 0 ? 1e-3 : 0.7e-3) : n % 2 == 0 ? 1e-3 : 2e-3;
  });
  EXPECT_EQ(turns.at(0), 8 + static_cast<int>(ChoiceTrial::most_turns));
  EXPECT_EQ(trial.winner(), 0u);
}

TEST(ChoiceTrial, NativeStaysWhereAPlanWinsByLessThanTheMargin) {
  for (const double time : {0.96, 0.94}) {
    ChoiceTrial trial = between({"plan"});
    hold(trial, [&](std::size_t choice, int) { return choice == 0 ? 1.0 : time; });
    EXPECT_EQ(trial.winner(), time < ChoiceTrial::must_win ? 1u : 0u) << time;
  }
}

TEST(ChoiceTrial, OfVeryShortCallsTheMarginIsWider) {
  for (const double time : {0.92, 0.88}) {
    ChoiceTrial trial = between({"plan"});
    hold(trial, [&](std::size_t choice, int) { return (choice == 0 ? 1.0 : time) * 100e-6; });
    EXPECT_EQ(trial.winner(), time < ChoiceTrial::must_win_short ? 1u : 0u) << time;
  }
}

TEST(ChoiceTrial, WhatIsKnownIsNotTried) {
  ChoiceTrial trial;
  EXPECT_FALSE(trial.begun());
  trial.begin({"plan"}, true);
  EXPECT_TRUE(trial.begun());
  EXPECT_FALSE(trial.running());
  EXPECT_EQ(trial.winner(), 1u);
  trial.stop();
  EXPECT_EQ(trial.winner(), 0u);
}

}  // namespace
}  // namespace quadrille::dropin
