// Events leave in the order of their times, those of equal time in the order they came.
#include "simulate/event_queue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <queue>
#include <random>
#include <tuple>

namespace quadrille {
namespace {

// How long after the last event taken the next one is: few different times, times that differ in their last bits,
// bursts at one time beside rare long waits, every order of magnitude, and what mostly lines up beside short waits that
// do not and a crowd of long ones.
Seconds later(int kind, std::uint32_t random) {
  switch (kind) {
    case 0:
      return random % 4 * 1e-6;
    case 1:
      return random * 1e-15;
    case 2:
      return random % 100 * 1e-9;
    case 3:
      return random % 3 == 0 ? 0.0 : random % 7 == 0 ? 1e-3 * (random % 11) : 1e-6 * (random % 1000);
    case 4:
      return random % 16 < 8 ? 2e-6 : random % 16 < 12 ? 1e-15 * random : 1e-3 + 1e-12 * random;
    default:
      return std::ldexp(1.0, -static_cast<int>(random % 60));
  }
}

// Beside the standard library's queue of pairs (time, number), which is that order by definition. Up to 30 000 events
// are pending, then all are taken: short and long buckets, and runs that grow too long, all occur.
TEST(EventQueue, KeepsTheOrder) {
  using Entry = std::tuple<Seconds, std::uint32_t>;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    EventQueue queue;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> expected;
    std::uint32_t number = 0;
    Seconds now = 0;
    for (int i = 0; i < 3000 || !expected.empty(); ++i) {
      const std::uint32_t most = i >= 3000 ? 1 : i >= 1500 ? 2 : seed % 2 == 0 ? 3 : 40;
      for (std::uint32_t k = static_cast<std::uint32_t>(random()) % most; k > 0; --k, ++number) {
        const Seconds time = now + later(static_cast<int>(seed % 6), static_cast<std::uint32_t>(random()));
        queue.push(time, number, 0);
        expected.emplace(time, number);
      }
      ASSERT_EQ(queue.size(), expected.size());
      if (expected.empty()) continue;
      const auto [time, who] = expected.top();
      expected.pop();
      const Event e = queue.pop();
      ASSERT_EQ(e.time, time) << "seed " << seed << " step " << i;
      ASSERT_EQ(e.who, who) << "seed " << seed << " step " << i;
      now = time;
      ASSERT_EQ(queue.more_now(), !expected.empty() && std::get<0>(expected.top()) == now);
    }
    EXPECT_TRUE(queue.empty());
  }
}

// Asked about 8.25, the heap looks into the bucket that starts at 8; what is pushed then is before all that it found.
TEST(RadixHeap, TakesWhatComesBeforeWhatItHasLookedAt) {
  RadixHeap heap;
  for (std::uint32_t i = 0; i < 100; ++i) heap.push(8.5 + 1e-6 * i, i, 0);
  EXPECT_FALSE(heap.before(8.25));
  heap.push(8.3, 100, 0);
  ASSERT_TRUE(heap.before(8.4));
  EXPECT_EQ(heap.pop().who, 100U);
  EXPECT_FALSE(heap.before(8.5));
  ASSERT_TRUE(heap.due(8.5));
  EXPECT_EQ(heap.pop().who, 0U);
}

}  // namespace
}  // namespace quadrille
