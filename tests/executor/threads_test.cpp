// Schedules on real data: every algorithm delivers every byte with ranks as threads, few or many, short blocks or long.
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
#include "sampled.hpp"

namespace quadrille::run_test {
namespace {

using testing::circuits;
using testing::command;
using testing::error_of;
using testing::expect_mentions;
using testing::request;
using testing::schedule_of;
using testing::Written;

/// Bytes that the ranks hold in `out` together: all of them are compared.
Bytes wanted_bytes(const Spec& spec) {
  Bytes total = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) total += buffer_bytes(spec, Buffer::out, r);
  return total;
}

// ---- every algorithm

/// The first and last variants and one between.
std::vector<Params> some_variants(const Algorithm& a, const Spec& spec, const Machine& machine) {
  const std::vector<Params> all = a.variants(spec, machine);
  std::vector<Params> some;
  for (const std::size_t i : std::set<std::size_t>{0, all.size() / 2, all.size() - 1})
    if (i < all.size()) some.push_back(all[i]);
  return some;
}

/// The thread sanitizer looks at how ranks meet, which every algorithm on every network shows it once.
#ifdef __SANITIZE_THREAD__
constexpr bool once = true;
#else
constexpr bool once = false;
#endif

/// Many ranks on few cores mostly wait for each other: one size has to do, which nothing divides.
std::vector<Bytes> sizes_on(Rank p) {
  if (once || p > 16) return {97};
  return {0, 1, 3, 97, 1000};
}

std::set<Rank> roots_on(Collective collective, Rank p) {
  if (!has_root(collective)) return {0};
  if (once || p > 16) return {p / 2};
  return {0, p / 2, p - 1};
}

std::vector<Machine> port_and_wire_models() {
  Machine both = circuits(), half = circuits(), one = circuits();
  half.shared = 3;
  half.duplex = Duplex::half;
  one.ports = Ports::one;
  return {both, half, one};
}

void run_case(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
  SCOPED_TRACE(command(spec, machine, a, params));
  const Built built = build(spec, machine, {&a, params});
  const RunResult result = run_threads(spec, *built.schedule, {.repetitions = 1, .seed = 7});
  EXPECT_EQ(result.checked, wanted_bytes(spec));
  EXPECT_GE(result.moved, 0);
  EXPECT_LE(result.least, result.median);
  EXPECT_LE(result.median, result.most);
}

/// Sums of integers have the same bits however they are grouped, so no algorithm has to be left out.
Spec asked(const Algorithm& a, const std::string& network, Bytes bytes, Rank root = 0) {
  Spec spec = request(a.collective, network, bytes, root);
  spec.identical = false;
  return spec;
}

class RunOn : public ::testing::TestWithParam<std::string> {};

TEST_P(RunOn, EveryLegalAlgorithmGivesTheReferenceBytes) {
  int cases = 0;
  const Rank p = parse_topology(GetParam())->ranks();
  for (const Algorithm& a : algorithms())
    for (const Machine& machine : port_and_wire_models())
      for (const Bytes bytes : sizes_on(p)) {
        for (const Rank root : roots_on(a.collective, p)) {
          if (!testing::can_request(a.collective, GetParam())) continue;
          const Spec spec = asked(a, GetParam(), bytes, root);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          ++cases;
          if (!once && !testing::sampled(command(spec, machine, a, {}))) continue;
          for (const Params& params : some_variants(a, spec, machine))
            ASSERT_NO_THROW(run_case(spec, machine, a, params)) << command(spec, machine, a, params);
        }
      }
  EXPECT_GT(cases, 0);
}

/// Every family, small ones in every size; and of every family one of 64 ranks, or of nearly as many and odd sides.
std::vector<std::string> networks() {
  std::vector<std::string> all{"torus:2x2", "torus:3x3",   "torus:4x3",   "torus:8x8",  "torus:7x9", "torus:3x4x5",
                               "mesh:3x4",  "mesh:8x8",    "mesh:7x9",    "mesh:4x4x4", "mesh:1x64", "ring:33",
                               "ring:64",   "crossbar:33", "crossbar:64", "bus:5",      "bus:64",    "ethernet:9",
                               "memory:2",  "memory:9",    "memory:64",   "omega:3",    "omega:6",   "fly:3^2",
                               "fly:4^3",   "bifly:2^2",   "bifly:2^5"};
  for (int d = 1; d <= 6; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (int p = 2; p <= 9; ++p) {
    all.push_back("ring:" + std::to_string(p));
    all.push_back("crossbar:" + std::to_string(p));
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ':', '_');
  std::replace(name.begin(), name.end(), '^', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Networks, RunOn, ::testing::ValuesIn(networks()), test_name);

/// The networks above are enough for every algorithm, on 64 ranks.
TEST(Run, EveryAlgorithmRunsSomewhere) {
  for (const Algorithm& a : algorithms()) {
    Rank most = 0;
    for (const std::string& network : networks()) {
      if (!testing::can_request(a.collective, network)) continue;
      const Spec spec = asked(a, network, 97);
      for (const Machine& machine : port_and_wire_models())
        if (a.illegal(spec, machine, {}).empty()) most = std::max(most, spec.ranks());
    }
    EXPECT_EQ(most, 64) << a.name;
  }
}

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
