// Which calls are timed, and what the others are said to have taken.
#include "dropin/timing/stopwatch.hpp"

#include <gtest/gtest.h>

namespace quadrille::dropin {
namespace {

constexpr Ticks close = 1000;

/// Calls that take so long, one after the other, with so much in between.
class Calls {
 public:
  void call(Ticks takes, Ticks between) {
    if (watch_.due()) watch_.took(now_, now_ + takes, close);
    now_ += takes + between;
    took_ += takes;
    ++calls_;
  }
  double estimated() const { return static_cast<double>(watch_.all(now_)) / static_cast<double>(took_); }
  double timed() const { return static_cast<double>(watch_.timed()) / static_cast<double>(calls_); }
  const Stopwatch& watch() const { return watch_; }
  std::int64_t calls() const { return calls_; }
  Ticks took() const { return took_; }
  Ticks now() const { return now_; }

 private:
  Stopwatch watch_;
  Ticks now_ = 5'000'000, took_ = 0;
  std::int64_t calls_ = 0;
};

TEST(Stopwatch, TimesTheFirstCalls) {
  Calls calls;
  EXPECT_EQ(calls.watch().all(calls.now()), 0);
  for (int i = 0; i < Stopwatch::window; ++i) calls.call(100 + i, 0);
  EXPECT_EQ(calls.watch().timed(), Stopwatch::window);
  EXPECT_EQ(calls.watch().all(calls.now()), calls.took());
}

TEST(Stopwatch, TimesAllCallsThatAreFarApart) {
  Calls calls;
  for (int i = 0; i < 100'000; ++i) calls.call(i % 64 == 7 ? 50'000 : 200, 1000);
  EXPECT_EQ(calls.watch().timed(), calls.calls());
  EXPECT_EQ(calls.watch().all(calls.now()), calls.took());
}

TEST(Stopwatch, TimesAllCallsThatAreLong) {
  Calls calls;
  for (int i = 0; i < 10'000; ++i) calls.call(1001, 0);
  EXPECT_EQ(calls.watch().all(calls.now()), calls.took());
}

TEST(Stopwatch, TimesOneInMostGapsOfCloseCalls) {
  Calls calls;
  for (int i = 0; i < 1'000'000; ++i) calls.call(200, 10);
  EXPECT_LT(calls.timed(), 1.2 / Stopwatch::usual_gap);
  EXPECT_GT(calls.timed(), 0.8 / Stopwatch::usual_gap);
  EXPECT_DOUBLE_EQ(calls.estimated(), 1);
}

TEST(Stopwatch, CountsEveryCall) {
  Calls calls;
  for (int i = 0; i < 1000; ++i) {
    calls.call(200, 0);
    EXPECT_EQ(calls.watch().calls(), calls.calls());
  }
}

// Programs repeat themselves: a call that takes longer is one in so many.
TEST(Stopwatch, MissesNoneOfAPattern) {
  for (const int period : {2, 3, 8, 15, 16, 17, 32, 64, 100}) {
    Calls calls;
    for (int i = 0; i < 3'000'000; ++i) calls.call(i % period == 0 ? 900 : 100, 10);
    EXPECT_LT(calls.timed(), 0.1) << period;
    EXPECT_NEAR(calls.estimated(), 1, 0.02) << period;
  }
}

// A rank that waits for another now and then.
TEST(Stopwatch, FindsLongWaitsBetweenShortCalls) {
  Calls calls;
  std::uint32_t random = 7;
  for (int i = 0; i < 3'000'000; ++i) {
    random = random * 1664525 + 1013904223;
    calls.call(random >> 22 == 0 ? 1'000'000 : 200, 10);
  }
  EXPECT_NEAR(calls.estimated(), 1, 0.15);
}

TEST(Stopwatch, LooksCloselyAgain) {
  Calls calls;
  for (int i = 0; i < 10'000; ++i) calls.call(200, 10);
  const std::int64_t before = calls.watch().timed();
  calls.call(200, 1'000'000);
  for (int i = 0; i < 2 * Stopwatch::usual_gap; ++i) calls.call(200, 2000);
  const std::int64_t missed = calls.watch().calls() - calls.watch().timed();
  for (int i = 0; i < 1000; ++i) calls.call(200, 2000);
  EXPECT_EQ(calls.watch().calls() - calls.watch().timed(), missed);
  EXPECT_GT(calls.watch().timed(), before + 1000);
}

// One long call must not stand for many, which would have taken longer than there was time.
TEST(Stopwatch, EstimatesNoMoreThanThereWas) {
  for (int at = 100; at < 140; ++at) {
    Calls calls;
    for (int i = 0; i < 200; ++i) calls.call(i == at ? 10'000'000 : 200, 0);
    EXPECT_LE(calls.watch().all(calls.now()), calls.took());
  }
}

}  // namespace
}  // namespace quadrille::dropin
