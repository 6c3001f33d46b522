// Schedules on real data, with ranks as threads, few or many, short blocks or long: what is counted, and what is
// refused.
#include "executor/threads.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "executor/data.hpp"
#include "executor/run_threads.hpp"
#include "executor/team.hpp"
#include "quadrille/run.hpp"
#include "run_schedules.hpp"

namespace quadrille::run_test {
namespace {

using testing::circuits;
using testing::error_of;
using testing::expect_mentions;
using testing::request;
using testing::schedule_of;
using testing::Written;

TEST(Run, CountsWhatItMoves) {
  const Spec spec = request(Collective::alltoall, "hypercube:3", 10);
  const RunResult direct = run_threads(spec, *schedule_of(spec, "alltoall_mce:phases=3"), {.repetitions = 3});
  EXPECT_EQ(direct.ranks, 8);
  EXPECT_EQ(direct.messages, 8 * 7);
  EXPECT_EQ(direct.moved, 8 * 7 * 10);
  EXPECT_EQ(direct.permuted, 0);
  EXPECT_EQ(direct.checked, 8 * 8 * 10);
  // Three exchanges of half the blocks, each followed by a permutation of all.
  const RunResult standard = run_threads(spec, *schedule_of(spec, "alltoall_mce:phases=1,1,1"));
  EXPECT_EQ(standard.messages, 8 * 3);
  EXPECT_EQ(standard.moved, 8 * 3 * 4 * 10);
  EXPECT_EQ(standard.permuted, 8 * 3 * 8 * 10);
  EXPECT_EQ(run_threads(spec, *schedule_of(spec, "alltoall_mce:phases=3"), {.check = false}).checked, 0);
}

TEST(Run, TracesEveryRound) {
  const Spec spec = request(Collective::allgather, "hypercube:4", 1000);
  const RunResult result = run_threads(spec, *schedule_of(spec, "allgather_adea"), {.trace = true});
  ASSERT_EQ(result.trace.size(), 4U);
  EXPECT_EQ(result.trace.front().begin, 0);
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(result.trace[t].round, static_cast<Round>(t));
    EXPECT_LE(result.trace[t].begin, result.trace[t].end);
    const std::size_t before = t == 0 ? 0 : t - 1;
    EXPECT_LE(result.trace[before].begin, result.trace[t].begin);
    EXPECT_LE(result.trace[before].end, result.trace[t].end);
  }
}

// ---- many, and too many

TEST(RunMany, MoreRanksThanCores) {
  for (const int d : {6, 7}) {
    const Spec spec = request(Collective::alltoall, "hypercube:" + std::to_string(d), 8);
    const Rank p = spec.ranks();
    for (const Params& params : find_algorithm("alltoall_mce").variants(spec, circuits())) {
      const Built built = build(spec, circuits(), {&find_algorithm("alltoall_mce"), params});
      EXPECT_EQ(run_threads(spec, *built.schedule).checked, p * p * 8);
    }
  }
}

TEST(RunMany, AThousandRanks) {
  const Spec spec = request(Collective::allgather, "hypercube:10", 4);
  EXPECT_EQ(run_threads(spec, *schedule_of(spec, "allgather_adea")).checked, 1024 * 1024 * 4);
}

TEST(RunMany, TooMuchIsRefusedWithTheLimit) {
  const Spec big = request(Collective::alltoall, "hypercube:3", Bytes{1} << 20);
  const SchedulePtr schedule = schedule_of(big, "alltoall_mce:phases=3");
  expect_mentions(error_of([&] { run_threads(big, *schedule, {.memory = Bytes{100} << 20}); }), Error::Kind::budget,
                  {"100 MiB", "smaller blocks"});
  const Spec huge = request(Collective::alltoall, "hypercube:3", Bytes{1} << 50);
  expect_mentions(error_of([&] { run_threads(huge, *schedule_of(huge, "alltoall_mce:phases=3")); }),
                  Error::Kind::budget, {"8 GiB"});
  // A hundred thousand rounds, each with a message: the list of messages is what does not fit.
  const Spec small = request(Collective::bcast, "crossbar:2", 1);
  std::vector<Written::Entry> rounds;
  for (Round t = 0; t < 100000; ++t) rounds.push_back({t, 0, 1, Buffer::out, Buffer::out});
  const Written endless({.ranks = 2, .rounds = 100000, .out = 1, .cut = {.bytes = 1}}, rounds);
  expect_mentions(error_of([&] { run_threads(small, endless, {.memory = Bytes{1} << 20}); }), Error::Kind::budget,
                  {"rank 0", "of 100000", "larger packets"});
  const Spec many = request(Collective::allgather, "hypercube:20", 1);
  expect_mentions(error_of([&] { run_threads(many, *schedule_of(many, "allgather_adea")); }), Error::Kind::budget,
                  {"1048576 ranks", "at most 4096"});
}

TEST(RunMany, ThreadsKeepToCoresEvenly) {
  const auto cores = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return CPU_COUNT(&set);
  };
  const int all = cores();
  executor::run_team(
      2 * all, [&](Rank) { EXPECT_EQ(cores(), all); }, [] {});
  std::mutex mutex;
  std::map<int, int> threads;
  executor::run_team(
      2 * all,
      [&](Rank) {
        EXPECT_EQ(cores(), 1);
        const std::scoped_lock lock(mutex);
        ++threads[sched_getcpu()];
      },
      [] {}, true);
  EXPECT_EQ(threads.size(), static_cast<std::size_t>(all));
  for (const auto& [core, some] : threads) EXPECT_EQ(some, 2) << core;
}

TEST(RunMany, ATeamEndsWithTheFirstError) {
  std::atomic<bool> stop{false};
  std::atomic<int> ended{0};
  const auto body = [&](Rank r) {
    if (r == 3) throw Error(Error::Kind::argument, "three");
    while (!stop) std::this_thread::yield();
    ++ended;
  };
  EXPECT_STREQ(error_of([&] { executor::run_team(8, body, [&] { stop = true; }); }).what(), "three");
  EXPECT_EQ(ended, 7);
}

// ---- long messages

/// Runs on an exchange that believes that every rank has a core: senders then help with long messages.
void run_with_a_core_each(const Spec& spec, const Schedule& schedule, int runs) {
  std::vector<program::Program> programs;
  program::Compiler compiler(spec, schedule);
  for (Rank r = 0; r < spec.ranks(); ++r) programs.push_back(compiler.compile(r, true, Bytes{1} << 30));
  executor::ThreadExchange exchange(programs, static_cast<int>(spec.ranks()));
  std::vector<std::unique_ptr<executor::RankData>> data;
  for (const program::Program& p : programs)
    data.push_back(std::make_unique<executor::RankData>(spec, p.rank, p.size, 11));
  const auto body = [&](Rank r) {
    const auto me = static_cast<std::size_t>(r);
    executor::ThreadExchange::End end(exchange, r, data[me]->bases());
    for (int i = 0; i < runs; ++i) {
      data[me]->fill();
      end.barrier();
      end.begin();
      executor::perform(programs[me], end, {});
      end.barrier();
      data[me]->check();
    }
  };
  executor::run_team(spec.ranks(), body, [&] { exchange.cancel(); });
}

TEST(RunLong, SendersHelpAndNothingIsCopiedTwiceOrLeftOut) {
  const Bytes long_block = (Bytes{1} << 20) + 3;
  const Spec exchange = request(Collective::alltoall, "hypercube:2", long_block);
  for (const std::string choice : {"alltoall_mce:phases=2", "alltoall_mce:phases=1,1"})
    run_with_a_core_each(exchange, *schedule_of(exchange, choice), 5);
  const Spec gather = request(Collective::allgather, "hypercube:3", long_block);
  run_with_a_core_each(gather, *schedule_of(gather, "allgather_adea"), 5);
  const Spec bcast = request(Collective::bcast, "crossbar:3", long_block);
  const Written chain({.ranks = 3, .rounds = 2, .out = 1, .cut = {.bytes = long_block}},
                      {{0, 0, 1, Buffer::out, Buffer::out}, {1, 1, 2, Buffer::out, Buffer::out}});
  run_with_a_core_each(bcast, chain, 20);
}

}  // namespace
}  // namespace quadrille::run_test
