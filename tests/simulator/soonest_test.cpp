// What is due soonest, beside a look at everything.
#include "simulator/soonest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace quadrille::soonest_test {
namespace {

// Up to 10 000 numbers: three levels of groups. Times are few, so that many are equal; some things are set that were
// never there, some erased twice.
TEST(Soonest, IsTheLeastOfAll) {
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random()) % n; };
  for (const std::uint32_t most : {1U, 3U, 64U, 65U, 4097U, 10'000U}) {
    simulator::Soonest soonest;
    std::map<std::uint32_t, Seconds> expected;
    EXPECT_TRUE(soonest.empty());
    for (int step = 0; step < 2000; ++step) {
      for (std::uint32_t changes = below(20); changes > 0; --changes) {
        const std::uint32_t who = below(most);
        if (below(3) == 0) {
          soonest.erase(who), expected.erase(who);
        } else {
          const Seconds time = below(50);
          soonest.set(who, time), expected[who] = time;
        }
      }
      ASSERT_EQ(soonest.empty(), expected.empty());
      const auto least = std::min_element(expected.begin(), expected.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
      if (!expected.empty()) {
        ASSERT_EQ(soonest.time(), least->second);
      }
      if (below(10) > 0) continue;  // now and then those are taken that are due
      const Seconds then = below(60);
      std::map<std::uint32_t, Seconds> due;
      soonest.each_until(then, [&](std::uint32_t who, Seconds time) {
        ASSERT_TRUE(due.empty() || due.rbegin()->first < who) << "not in the order of numbers";
        due[who] = time;
      });
      auto early = expected;
      std::erase_if(early, [&](const auto& e) { return e.second > then; });
      ASSERT_EQ(due, early);
      for (const auto& [who, time] : early) soonest.erase(who), expected.erase(who);
    }
  }
}

}  // namespace
}  // namespace quadrille::soonest_test
