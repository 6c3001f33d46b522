// Order eager on more than fits in memory, and how far it is while messages are laid out.
#include <gtest/gtest.h>

#include <algorithm>

#include "by_hand.hpp"
#include "quadrille/price.hpp"
#include "quadrille/simulate.hpp"
#include "settings.hpp"

namespace quadrille::eager_budget_test {
namespace {

void expect_refused(const char* topology, const char* algorithm, const char* why) {
  const Spec spec = testing::request(Collective::alltoall, topology, 1);
  const Built built = build(spec, testing::by_hand(), parse_choice(algorithm));
  try {
    simulate(spec, testing::by_hand(), *built.schedule, {Order::eager, Network::free});
    FAIL() << "it was played";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::budget);
    EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("dataflow"), std::string::npos) << e.what();
  }
}

// More than a gigabyte of messages: said before it is used. More than 10^9 blocks in few messages: said at once, as all
// ranks do the same.
TEST(Eager, MoreThanFitsIsRefused) {
  expect_refused("hypercube:13", "alltoall_direct", "all messages");
  expect_refused("hypercube:14", "alltoall_standard", "every block");
}

// While messages are laid out nothing has begun yet.
TEST(Eager, TellsHowFarItIs) {
  const Spec spec = testing::request(Collective::alltoall, "hypercube:8", 1);
  const Built built = build(spec, testing::by_hand(), parse_choice("alltoall_standard"));
  std::vector<std::int64_t> told;
  SimulateOptions how{Order::eager, Network::free};
  how.progress = [&](Seconds now, std::int64_t messages) {
    EXPECT_EQ(now, 0);
    told.push_back(messages);
  };
  const Timeline line = simulate(spec, testing::by_hand(), *built.schedule, how);
  ASSERT_GE(told.size(), 4U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GT(told.back(), line.messages / 2);
  EXPECT_LT(told.back(), line.messages);
}

}  // namespace
}  // namespace quadrille::eager_budget_test
