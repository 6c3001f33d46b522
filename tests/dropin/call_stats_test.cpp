// One rank's figures: summed over communicators, and sent to rank 0 as text.
#include "dropin/report/call_stats.hpp"

#include <gtest/gtest.h>

namespace quadrille::dropin {
namespace {

const LaterTable no_later;

/// With some calls of an allgather, which a plan has answered.
void use(RowTable& rows, std::int64_t calls) {
  Row& row = rows.row(Operation::allgather, 100);
  row.calls = row.planned = calls;
  row.bytes = 100 * calls;
  row.planned_time = 0.5 * static_cast<double>(calls);
  row.decision.trial.begin({"allgather_daisy"}, false);
  while (row.decision.trial.running())
    if (row.decision.trial.took(row.decision.trial.next() == 0 ? 10 : 5, 100)) row.decision.trial.judge();
}

TEST(CallStats, AreSummedOverCommunicatorsOfOneNetwork) {
  std::vector<CallStats> all;
  RowTable one(true), two(true);
  use(one, 3);
  use(two, 5);
  add(all, {.ranks = 4, .topology = "crossbar:4", .rows = one, .later = no_later, .exchange = {}});
  add(all, {.ranks = 4, .topology = "crossbar:4", .rows = two, .later = no_later, .exchange = {}});
  add(all, {.ranks = 2, .topology = "crossbar:2", .rows = two, .later = no_later, .exchange = {}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].calls, 8);
  EXPECT_EQ(all[0].bytes, 800);
  EXPECT_EQ(all[0].planned_time, 4);
  EXPECT_EQ(all[0].winner, "allgather_daisy");
  const std::vector<std::pair<std::string, double>> tried{{"native", 0.1}, {"allgather_daisy", 0.05}};
  EXPECT_EQ(all[0].tried, tried);
  EXPECT_EQ(all[1].ranks, 2);
}

TEST(CallStats, OfCallsThatEndLaterAreOfTheirOwn) {
  RowTable rows(true);
  use(rows, 2);
  LaterTable later;
  for (const Ending ending : {Ending::persistent, Ending::non_blocking}) {
    LaterRow& row = later.row(ending, Operation::allgather, 100, false);
    row.choice = "allgather_daisy";
    row.began(100, 0.25);
    row.began(100, 0.25);
    row.ended(8, ending == Ending::persistent ? 8 : 2);
  }
  later.row(Ending::non_blocking, Operation::bcast, 8, false);  // without a call that a plan answered
  std::vector<CallStats> all;
  for (int i = 0; i < 2; ++i)
    add(all, {.ranks = 4, .topology = "crossbar:4", .rows = rows, .later = later, .exchange = {}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].ending, Ending::at_once);
  EXPECT_EQ(all[1].ending, Ending::persistent);
  EXPECT_EQ(all[1].overlap(), 0);
  const std::vector<CallStats> read = parse_call_stats(to_text(all));
  EXPECT_EQ(read[2].ending, Ending::non_blocking);
  EXPECT_EQ(read[2].calls, 4);
  EXPECT_EQ(read[2].over, 2);
  EXPECT_EQ(read[2].bytes, 400);
  EXPECT_EQ(read[2].overlap(), 0.75);
  EXPECT_EQ(read[2].planned_time, 5);  // in calls that start them, and waiting
  EXPECT_EQ(read[2].winner, "allgather_daisy");
}

TEST(CallStats, OfAnAlltoallvHaveItsTrial) {
  RowTable rows(true);
  rows.row(Operation::alltoallv, 50).calls = 2;
  rows.row(Operation::alltoallv, 50).bytes = 100;
  ExchangeTrial trial;
  while (trial.running())
    if (trial.took(10, 5, 50)) trial.judge();
  std::vector<CallStats> all;
  add(all, {.ranks = 4, .topology = "crossbar:4", .rows = rows, .later = no_later, .exchange = [&](Operation) {
              return ExchangeResult{"", trial};
            }});
  EXPECT_EQ(all.front().winner, "");
  add(all, {.ranks = 4, .topology = "crossbar:4", .rows = rows, .later = no_later, .exchange = [&](Operation) {
              return ExchangeResult{"alltoall_pairwise", trial};
            }});
  EXPECT_EQ(all.front().winner, "alltoall_pairwise");
  EXPECT_EQ(all.front().tried[1].second, 0.1);  // 5 s for 50 bytes
}

TEST(CallStats, GetThroughAsText) {
  CallStats s{.operation = Operation::gather,
              .size_class = 7,
              .ranks = 4,
              .topology = "torus:2x2",
              .calls = 9,
              .planned = 8,
              .twice = 1,
              .untimed = 2,
              .bytes = 900,
              .native_time = 0.5,
              .planned_time = 0.25,
              .failed = 3,
              .lost = "gather_tree",
              .lost_native = 1,
              .lost_plan = 2,
              .winner = "native",
              .tried = {{"native", 0.125}}};
  const std::vector<CallStats> back = parse_call_stats(to_text({s, s}));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(to_text(back), to_text({s, s}));
  EXPECT_EQ(back[1].operation, s.operation);
  EXPECT_EQ(back[1].failed, 3);
  EXPECT_EQ(back[1].lost_plan, 2);
  EXPECT_EQ(back[1].tried, s.tried);
}

}  // namespace
}  // namespace quadrille::dropin
