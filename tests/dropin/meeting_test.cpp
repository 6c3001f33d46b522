// What ranks say to each other before a decision, and what follows from it: several ranks in one process.
#include "dropin/decide/meeting.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace quadrille::dropin {
namespace {

Meeting met(const std::vector<Statement>& ranks, const Budget& budget = {}) {
  std::vector<std::int64_t> largest = ranks.front().numbers();
  for (const Statement& rank : ranks) {
    const std::vector<std::int64_t> said = rank.numbers();
    for (std::size_t i = 0; i < said.size(); ++i) largest[i] = std::max(largest[i], said[i]);
  }
  return {largest, budget};
}

/// Of the same call on three ranks, of which the first has the number.
std::vector<Statement> three(const Statement& each = {.call = 77, .native_time = 1, .calls = 2, .since_begin = 10}) {
  std::vector<Statement> ranks(3, each);
  ranks[0].number = 5;
  return ranks;
}

TEST(Meeting, TellsWhetherAllAreInTheSameCall) {
  std::vector<Statement> ranks = three();
  EXPECT_TRUE(met(ranks).same_call);
  for (const std::uint64_t other :
       {std::uint64_t{76} << 2, std::uint64_t{78} << 2, ~std::uint64_t{0}, std::uint64_t{0}}) {
    ranks[1].call = other;
    ranks[0].call = ranks[2].call = std::uint64_t{77} << 2;
    EXPECT_FALSE(met(ranks).same_call) << other;
  }
}

TEST(Meeting, HasTheNumberOfRankZero) { EXPECT_EQ(met(three()).number, 5); }

TEST(Meeting, HasRoomWhereAllHaveRoom) {
  std::vector<Statement> ranks = three();
  EXPECT_TRUE(met(ranks).room);
  ranks[2].room = false;
  EXPECT_FALSE(met(ranks).room);
}

TEST(Meeting, TakesWhatAllHaveKept) {
  std::vector<Statement> ranks = three();
  EXPECT_EQ(met(ranks).kept, 0);
  ranks[0].kept = ranks[1].kept = 9;
  EXPECT_EQ(met(ranks).kept, 0);
  ranks[2].kept = 8;
  EXPECT_EQ(met(ranks).kept, 0);
  ranks[2].kept = 9;
  EXPECT_EQ(met(ranks).kept, 9);
}

TEST(Meeting, TakesWhatAllHaveFound) {
  std::vector<Statement> ranks = three();
  EXPECT_FALSE(met(ranks).same_found);
  ranks[0].found = ranks[1].found = "bcast_chain";
  EXPECT_FALSE(met(ranks).same_found);
  ranks[2].found = "native";
  EXPECT_FALSE(met(ranks).same_found);
  ranks[2].found = "bcast_chain";
  EXPECT_TRUE(met(ranks).same_found);
}

TEST(Meeting, SlowestRankDecidesWhatATrialMayTake) {
  std::vector<Statement> ranks = three();
  EXPECT_TRUE(met(ranks).affordable);  // nothing is spent, and a trial takes nothing
  ranks[1].spent = 0.6;                // of 10 s since the begin: more than 5 ms and 5 %
  EXPECT_FALSE(met(ranks).affordable);
  EXPECT_TRUE(met(ranks, {.share = 0.1}).affordable);
  ranks[1].spent = 0;
  ranks[2].opening_cost = 1.5;  // more than all calls took
  EXPECT_FALSE(met(ranks, {.share = 1}).affordable);
  ranks[0].native_time = 2;
  EXPECT_TRUE(met(ranks, {.share = 1}).affordable);
  EXPECT_EQ(met(ranks).native_call, 1);  // two calls in two seconds
}

TEST(OrderedBits, AreInTheOrderOfNumbers) {
  const std::vector<double> numbers{0, 1e-300, 1e-9, 0.5, 1, 1.5, 1e9, 1e300};
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i)
    EXPECT_LT(ordered_bits(numbers[i]), ordered_bits(numbers[i + 1])) << numbers[i];
  for (const double number : numbers) EXPECT_EQ(from_ordered_bits(ordered_bits(number)), number);
  EXPECT_EQ(ordered_bits(-1), ordered_bits(0));
}

}  // namespace
}  // namespace quadrille::dropin
