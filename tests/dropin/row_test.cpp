// Rows of a communicator: which calls are counted together, and what a later communicator takes over.
#include "dropin/decide/row.hpp"

#include <gtest/gtest.h>

#include "dropin/decide/found_choices.hpp"

namespace quadrille::dropin {
namespace {

TEST(RowTable, HasARowForEachOperationAndSizeClass) {
  RowTable table(true);
  Row& row = table.row(Operation::gather, 1000);
  EXPECT_EQ(&table.row(Operation::gather, 1023), &row);
  EXPECT_NE(&table.row(Operation::gather, 1024), &row);
  EXPECT_NE(&table.row(Operation::scatter, 1000), &row);
}

TEST(RowTable, HasOneRowWhereBytesDifferByRank) {
  RowTable table(true);
  EXPECT_EQ(&table.row(Operation::alltoallv, 0), &table.row(Operation::alltoallv, 1 << 30));
}

/// Changing the plan of one of them might change bits.
TEST(RowTable, HasOtherRowsForOperatorsThatRound) {
  RowTable table(true);
  Row& exact = table.row(Operation::allreduce, 8);
  Row& rounds = table.row(Operation::allreduce, 8, true);
  EXPECT_NE(&exact, &rounds);
  exact.calls = rounds.calls = 1;
  std::vector<bool> seen;
  table.each([&](Operation operation, bool rounding, int, const Row&) {
    EXPECT_EQ(operation, Operation::allreduce);
    seen.push_back(rounding);
  });
  EXPECT_EQ(seen, (std::vector<bool>{false, true}));
}

TEST(RowTable, LeavesToMpiWhatHasNoPlan) {
  const auto native_only = [](bool deciding, Operation operation, Bytes bytes) {
    return RowTable(deciding).row(operation, bytes).decision.native_only;
  };
  EXPECT_FALSE(native_only(true, Operation::bcast, 8));
  EXPECT_TRUE(native_only(false, Operation::bcast, 8));
  EXPECT_FALSE(native_only(true, Operation::allreduce, 8));
  EXPECT_FALSE(native_only(true, Operation::barrier, 1));
  EXPECT_TRUE(native_only(true, Operation::bcast, 0));
  EXPECT_FALSE(native_only(true, Operation::alltoallv, 0));  // others may have bytes
}

TEST(RowTable, SaysAfterHowManyCallsRanksMeet) {
  RowTable at_once(true, 0), usual(true);
  EXPECT_TRUE(at_once.row(Operation::bcast, 8).decision.pace.meets_before_this_call());
  EXPECT_FALSE(usual.row(Operation::bcast, 8).decision.pace.meets_before_this_call());
}

TEST(RowTable, TellsOfRowsWithCalls) {
  RowTable table;
  table.row(Operation::bcast, 8);
  table.row(Operation::alltoall, 100).calls = 3;
  int rows = 0;
  table.each([&](Operation operation, bool rounds, int sizes, const Row& row) {
    EXPECT_FALSE(rounds);
    ++rows;
    EXPECT_EQ(operation, Operation::alltoall);
    EXPECT_EQ(sizes, 7);
    EXPECT_EQ(row.calls, 3);
  });
  EXPECT_EQ(rows, 1);
}

TEST(RowTable, TakesOverDecisionsAndNoCounts) {
  RowTable earlier(true), later(true);
  Row& row = earlier.row(Operation::bcast, 8);
  row.calls = 10;
  row.decision.trial.begin({"bcast_chain"}, true);
  row.decision.lost = "bcast_binomial";
  earlier.row(Operation::gather, 8).decision.native_only = true;
  later.row(Operation::bcast, 8).calls = 2;
  later.take_over(earlier);
  const Row& now = later.row(Operation::bcast, 8);
  EXPECT_EQ(now.calls, 2);
  EXPECT_EQ(now.decision.trial.winner(), 1u);
  EXPECT_EQ(now.decision.lost, "bcast_binomial");
  EXPECT_TRUE(later.row(Operation::gather, 8).decision.native_only);
}

TEST(FoundChoices, AreOfTheseRanksInThisOrder) {
  FoundChoices found;
  found.put({0, 1}, 7, "native");
  EXPECT_EQ(found.find({0, 1}, 7), "native");
  EXPECT_EQ(found.find({1, 0}, 7), "");
  EXPECT_EQ(found.find({0, 1}, 8), "");
  found.put({0, 1}, 7, "bcast_chain");
  EXPECT_EQ(found.find({0, 1}, 7), "bcast_chain");
}

TEST(FoundChoices, AreNotMoreThanThereIsRoomFor) {
  FoundChoices found;
  for (std::size_t row = 0; row <= FoundChoices::most; ++row) found.put({0}, row, "native");
  EXPECT_EQ(found.find({0}, FoundChoices::most), "");
  found.put({0}, 3, "bcast_chain");
  EXPECT_EQ(found.find({0}, 3), "bcast_chain");
}

}  // namespace
}  // namespace quadrille::dropin
