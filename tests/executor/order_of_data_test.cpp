// Ranks wait for data and for nothing else: whoever is late, nothing is read before it arrived or overwritten before it
// was taken.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "executor/run_threads.hpp"
#include "quadrille/run.hpp"
#include "run_schedules.hpp"

namespace quadrille::run_order_test {
namespace {

using testing::request;
using testing::schedule_of;
using testing::Written;

/// Makes one rank late in one round.
executor::Watch late(Rank rank, Round round) {
  return {[=](Rank r, Round t) {
            if (r == rank && t == round) std::this_thread::sleep_for(std::chrono::milliseconds(30));
          },
          {}};
}

TEST(RunOrder, WhatWasHandedOutIsNotOverwrittenBeforeItWasTaken) {
  // Rank 1 passes the message on from tmp in round 1 and gets rubbish into the same tmp in round 2. The rubbish is
  // ready from the start, so only the reuse of tmp holds rank 1 back while rank 2 is late.
  const Spec spec = request(Collective::bcast, "crossbar:3", 1000);
  const Written schedule({.ranks = 3, .rounds = 3, .out = 1, .tmp = 1, .cut = {.bytes = 1000}},
                         {{0, 0, 1, Buffer::out, Buffer::tmp},
                          {1, 1, 2, Buffer::tmp, Buffer::out},
                          {1, 0, 1, Buffer::out, Buffer::out},
                          {2, 0, 1, Buffer::tmp, Buffer::tmp}});
  EXPECT_EQ(executor::run_threads(spec, schedule, {}, late(2, 1)).checked, 3000);
}

TEST(RunOrder, WhatIsPassedOnHasArrived) {
  const Spec spec = request(Collective::bcast, "crossbar:4", 1000);
  const Written chain(
      {.ranks = 4, .rounds = 3, .out = 1, .cut = {.bytes = 1000}},
      {{0, 0, 1, Buffer::out, Buffer::out}, {1, 1, 2, Buffer::out, Buffer::out}, {2, 2, 3, Buffer::out, Buffer::out}});
  for (Rank r = 1; r < 4; ++r) EXPECT_EQ(executor::run_threads(spec, chain, {}, late(r, r - 1)).checked, 4000);
}

TEST(RunOrder, BarriersHoldAllRanksUnlessSwitchedOff) {
  const Spec spec = request(Collective::alltoall, "hypercube:3", 8);
  const SchedulePtr schedule = schedule_of(spec, "alltoall_mce:phases=1,1,1");
  std::vector<std::atomic<int>> entered(static_cast<std::size_t>(schedule->shape().rounds));
  std::atomic<int> early{0};
  const executor::Watch watch{
      [&](Rank, Round t) { ++entered[static_cast<std::size_t>(t)]; },
      [&](Rank, Round t) { early += schedule->barrier(t) && entered[static_cast<std::size_t>(t)] != 8; }};
  executor::run_threads(spec, *schedule, {}, watch);
  EXPECT_EQ(early, 0);
  EXPECT_EQ(run_threads(spec, *schedule, {.barriers = false}).checked, 8 * 64);
}

TEST(RunOrder, RanksThatDawdleAtRandomChangeNothing) {
  for (const std::string choice : {"alltoall_mce:phases=1,1,1", "alltoall_mce:phases=1,2", "alltoall_mce:phases=3"}) {
    const Spec spec = request(Collective::alltoall, "hypercube:3", 97);
    const executor::Watch dawdle{
        [](Rank r, Round t) {
          std::this_thread::sleep_for(std::chrono::microseconds((r * 7919 + t * 104729) % 13 * 100));
        },
        {}};
    for (const bool barriers : {true, false})
      EXPECT_EQ(executor::run_threads(spec, *schedule_of(spec, choice), {.barriers = barriers}, dawdle).checked,
                64 * 97);
  }
}

}  // namespace
}  // namespace quadrille::run_order_test
