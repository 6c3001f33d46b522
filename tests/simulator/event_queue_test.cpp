// Events leave in the order of their times, those of equal time in the order they came.
#include "simulator/event_queue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <queue>
#include <random>
#include <tuple>

namespace quadrille::event_queue_test {
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

using Entry = std::tuple<Seconds, std::uint32_t>;
using Expected = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

Seconds last_time(const simulator::EventQueue& queue, const simulator::Event&) { return queue.time(); }
Seconds last_time(const simulator::RadixHeap&, const simulator::TimedEvent& e) { return e.time; }

// Beside the standard library's queue of pairs (time, number), which is that order by definition. Up to 30 000 events
// are pending, then all are taken: short and long buckets, and runs that grow too long, all occur.
template <class Queue, class MoreNow>
void expect_order(MoreNow more_now) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    Queue queue;
    Expected expected;
    std::uint32_t number = 0;
    Seconds now = 0;
    for (int i = 0; i < 3000 || !expected.empty(); ++i) {
      const std::uint32_t most = i >= 3000 ? 1 : i >= 1500 ? 2 : seed % 2 == 0 ? 3 : 40;
      for (std::uint32_t k = static_cast<std::uint32_t>(random()) % most; k > 0; --k, ++number) {
        const Seconds time = now + later(static_cast<int>(seed % 6), static_cast<std::uint32_t>(random()));
        queue.push(time, {number, number % 5, 3 * number, 7 * number});
        expected.emplace(time, number);
      }
      ASSERT_EQ(queue.empty(), expected.empty());
      if (expected.empty()) continue;
      const auto [time, who] = expected.top();
      expected.pop();
      const auto e = queue.pop();
      ASSERT_EQ(last_time(queue, e), time) << "seed " << seed << " step " << i;
      ASSERT_EQ(e.who, who) << "seed " << seed << " step " << i;
      ASSERT_TRUE(e.what == who % 5 && e.where == 3 * who && e.size == 7 * who) << "seed " << seed << " step " << i;
      now = time;
      if (seed % 3 != 0) {
        ASSERT_EQ(more_now(queue), !expected.empty() && std::get<0>(expected.top()) == now);
      }
    }
    EXPECT_TRUE(queue.empty());
  }
}

TEST(EventQueue, KeepsTheOrder) {
  expect_order<simulator::EventQueue>([](simulator::EventQueue& queue) { return queue.more_now(); });
}

TEST(RadixHeap, KeepsTheOrder) {
  expect_order<simulator::RadixHeap>([](simulator::RadixHeap& heap) { return heap.more_now(); });
}

// A thousand times that share places of the table of times: each drives another one out, again and again.
TEST(EventQueue, KeepsTheOrderOfTimesThatItForgets) {
  simulator::EventQueue queue;
  Expected expected;
  for (std::uint32_t number = 0; number < 20000; ++number) {
    const Seconds time = 1 + number * 7919 % 1000 * 1e-3;
    queue.push(time, {number, number % 5});
    expected.emplace(time, number);
  }
  EXPECT_EQ(queue.size(), 20000U);
  for (; !expected.empty(); expected.pop()) {
    const simulator::Event e = queue.pop();
    ASSERT_EQ(Entry(queue.time(), e.who), expected.top());
    ASSERT_EQ(e.what, e.who % 5);
  }
  EXPECT_TRUE(queue.empty());
}

// Asked whether there is more, the heap must not turn to what comes much later: what is pushed then is before all that.
TEST(RadixHeap, TakesWhatComesBeforeWhatItHasLookedAt) {
  simulator::RadixHeap heap;
  heap.push(8.25, {0, 0});
  for (std::uint32_t i = 1; i < 100; ++i) heap.push(8.5 + 1e-6 * i, {i, 0});
  ASSERT_EQ(heap.pop().who, 0U);
  EXPECT_FALSE(heap.more_now());
  heap.push(8.3, {100, 0});
  EXPECT_FALSE(heap.more_now());
  EXPECT_EQ(heap.pop().who, 100U);
  EXPECT_FALSE(heap.more_now());
  EXPECT_EQ(heap.pop().who, 1U);
}

// The same, and so much comes before it, in the wrong order, that it is too much for the run.
TEST(RadixHeap, TakesManyThatComeBeforeWhatItHasLookedAt) {
  simulator::RadixHeap heap;
  Expected expected;
  heap.push(8.25, {0, 0});
  std::uint32_t number = 1;
  const auto push = [&](Seconds time) {
    heap.push(time, {number, 0});
    expected.emplace(time, number++);
  };
  for (std::uint32_t i = 0; i < 300; ++i) push(8.5 + 1e-4 * i);
  ASSERT_EQ(heap.pop().who, 0U);
  EXPECT_FALSE(heap.more_now());
  for (std::uint32_t i = 0; i < 200; ++i) push(8.45 - 5e-4 * i);
  for (std::uint32_t i = 0; !expected.empty(); ++i) {
    const simulator::TimedEvent e = heap.pop();
    ASSERT_EQ(Entry(e.time, e.who), expected.top());
    expected.pop();
    if (i < 100) push(e.time + 1e-5 * (i * 37 % 100)), push(8.6 - 1e-5 * i);
  }
  EXPECT_TRUE(heap.empty());
}

// What comes next is shown as long as it is at the time of the last one, and as it will come.
TEST(EventQueue, ShowsWhatComes) {
  simulator::EventQueue queue;
  for (std::uint32_t i = 0; i < 100; ++i) queue.push(1 + i % 2, {i, i});
  EXPECT_EQ(queue.pop().who, 0U);
  EXPECT_EQ(queue.ahead(1), nullptr) << "the first one goes by itself";
  for (std::uint32_t taken = 1; taken < 50; ++taken) {
    ASSERT_EQ(queue.pop().who, 2 * taken);
    for (std::uint32_t n = 1; n <= simulator::EventQueue::farthest; ++n) {
      const simulator::Event* e = queue.ahead(n);
      ASSERT_EQ(e != nullptr, taken + n < 50) << taken << " " << n;
      if (e != nullptr) {
        ASSERT_EQ(e->who, 2 * (taken + n));
        ASSERT_EQ(e->what, 2 * (taken + n));
      }
    }
  }
}

// Of thousands the next times are in view, with what the first piece of each one's list has.
TEST(EventQueue, ShowsTheTimesThatComeNext) {
  simulator::EventQueue queue;
  for (std::uint32_t i = 0; i < 10000; ++i) queue.push(1 + 1e-3 * (i % 100), {i, i});
  EXPECT_EQ(queue.pop().who, 0U);
  EXPECT_TRUE(queue.begins());
  for (std::uint32_t n = 1; n <= simulator::EventQueue::farthest_time; ++n) {
    // A time is there twice: its first event by itself, then the list of the others.
    std::vector<std::uint32_t> soon, expected;
    queue.each_soon(n, [&](const simulator::Event& e) { soon.push_back(e.who); });
    if (n % 2 == 0) expected.push_back(n / 2);
    for (std::uint32_t k = 1; n % 2 == 1 && k <= 31; ++k) expected.push_back(n / 2 + 100 * k);
    EXPECT_EQ(soon, expected) << n;
  }
}

}  // namespace
}  // namespace quadrille::event_queue_test
