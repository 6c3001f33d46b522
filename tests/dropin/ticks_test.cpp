// The processor's counter beside the clock.
#include "dropin/timing/ticks.hpp"

#include <gtest/gtest.h>

namespace quadrille::dropin {
namespace {

TEST(Counter, GoesWithTheClock) {
  // The counter's time lies within one that is longer by the clock, and round one that is shorter.
  const auto outer = Clock::now();
  const Ticks begin = ticks();
  const auto inner = Clock::now();
  while (since(inner) < 0.02) continue;
  const Seconds shorter = since(inner);
  const Ticks took = ticks() - begin;
  const Seconds longer = since(outer);
  EXPECT_GT(seconds_of(took), 0.99 * shorter);
  EXPECT_LT(seconds_of(took), 1.01 * longer);
}

TEST(Counter, AddsUp) {
  const Ticks begin = ticks();
  const auto clock = Clock::now();
  Ticks sum = 0, last = begin;
  while (since(clock) < 0.02) {
    const Ticks now = ticks();
    EXPECT_GE(now, last);
    sum += now - last;
    last = now;
  }
  EXPECT_EQ(sum, last - begin);
  EXPECT_EQ(seconds_of(0), 0);
  EXPECT_NEAR(seconds_of(ticks_of(4e-6)), 4e-6, 2e-6);
}

}  // namespace
}  // namespace quadrille::dropin
