// Schedules on real data: every algorithm delivers every byte with ranks as threads; what is wrong is named; what fails
// in one rank ends all of them.
#include "quadrille/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "run/data.hpp"
#include "run/run_threads.hpp"
#include "run/strided.hpp"
#include "run/team.hpp"
#include "run/threads.hpp"
#include "settings.hpp"

namespace quadrille {
namespace {

using testing::command;
using testing::request;

/// Bytes that the ranks hold in `out` together: all of them are compared.
Bytes wanted_bytes(const Spec& spec) {
  Bytes total = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) total += blocks(spec, Buffer::out, r) * spec.bytes;
  return total;
}

Machine circuits() {
  Machine m;
  m.switching = Switching::circuit;
  return m;
}

SchedulePtr schedule_of(const Spec& spec, const std::string& choice) {
  return build(spec, circuits(), parse_choice(choice)).schedule;
}

/// Runs and returns the error; fails the test when there is none.
Error error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(Error::Kind::internal, "no error");
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

std::vector<Machine> port_and_wire_models() {
  Machine both = circuits(), half = circuits(), one = circuits();
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

class RunOn : public ::testing::TestWithParam<std::string> {};

TEST_P(RunOn, EveryLegalAlgorithmGivesTheReferenceBytes) {
  int cases = 0;
  for (const Algorithm& a : algorithms())
    for (const Machine& machine : port_and_wire_models())
      for (const Bytes bytes : {0, 1, 3, 97, 1000}) {
        const Rank p = parse_topology(GetParam())->ranks();
        for (const Rank root : std::set<Rank>{0, p / 2, p - 1}) {
          if (!testing::fits(a.collective, GetParam())) continue;
          if (root != 0 && (!has_root(a.collective) || p > 16)) continue;
          const Spec spec = request(a.collective, GetParam(), bytes, root);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          for (const Params& params : some_variants(a, spec, machine)) {
            ASSERT_NO_THROW(run_case(spec, machine, a, params)) << command(spec, machine, a, params);
            ++cases;
          }
        }
      }
  EXPECT_GT(cases, 0);
}

std::vector<std::string> networks() {
  std::vector<std::string> all{"hypercube:6", "torus:2x2", "torus:3x3", "torus:8x8", "mesh:2x3"};
  for (int d = 1; d <= 4; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (int p = 2; p <= 9; ++p) {
    all.push_back("ring:" + std::to_string(p));
    all.push_back("crossbar:" + std::to_string(p));
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  name.replace(name.find(':'), 1, "_");
  return name;
}

INSTANTIATE_TEST_SUITE_P(Networks, RunOn, ::testing::ValuesIn(networks()), test_name);

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

// ---- what is wrong is named

using Change = std::function<void(Round, Rank, Transfer&)>;

/// A schedule with some of its segments changed.
class Changed final : public Schedule {
 public:
  Changed(SchedulePtr base, Change change) : base_(std::move(base)), change_(std::move(change)) {}
  const Shape& shape() const override { return base_->shape(); }
  void step(Round t, Rank r, Steps& out) const override {
    Collected collected;
    for (Transfer x : collected.all(*base_, t, r)) {
      change_(t, r, x);
      out.add(x);
    }
  }

 private:
  SchedulePtr base_;
  Change change_;
};

Error error_when_changed(const Change& change) {
  const Spec spec = request(Collective::alltoall, "hypercube:3", 97);
  const Changed changed(schedule_of(spec, "alltoall_mce:phases=3"), change);
  return error_of([&] { run_threads(spec, changed, {.seed = 3}); });
}

void expect_mentions(const Error& error, Error::Kind kind, const std::vector<std::string>& parts) {
  EXPECT_EQ(error.kind(), kind) << error.what();
  for (const std::string& part : parts)
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << "'" << part << "' is not in: " << error.what();
}

TEST(RunChecks, ABlockPutInTheWrongPlaceIsNamed) {
  // Rank 5 gets block 4->5 in round 0, and that of rank 7 in round 1: here it puts both where 7->5 belongs.
  const Error error = error_when_changed([](Round t, Rank r, Transfer& x) {
    if (t == 0 && r == 5 && x.kind == Kind::recv) x.slots.first = 7;
  });
  expect_mentions(error, Error::Kind::transport, {"rank 5", "block 4->5", "index 4", "byte 0", "never received"});
}

TEST(RunChecks, ABlockSentInsteadOfAnotherIsNamed) {
  const Error error = error_when_changed([](Round t, Rank r, Transfer& x) {
    if (t == 2 && r == 6 && x.kind == Kind::send) x.slots.first = 0;  // to rank 5, for rank 0
  });
  expect_mentions(error, Error::Kind::transport,
                  {"rank 5", "block 6->5", "index 6", "byte 0", "expected 0x", "found 0x"});
}

TEST(RunChecks, EndsOfAMessageThatDifferAreNamed) {
  const auto add_segment = [](Round t, Rank r, Transfer& x) {
    if (t == 1 && r == 2 && x.kind == Kind::send) x.slots = contiguous(0, 2);
  };
  expect_mentions(error_when_changed(add_segment), Error::Kind::transport,
                  {"round 1", "rank 0 receives 97 B from rank 2", "194 B"});
  const auto drop_send = [](Round t, Rank r, Transfer& x) {
    if (t == 1 && r == 2 && x.kind == Kind::send) x.slots.size = 0;
  };
  expect_mentions(error_when_changed(drop_send), Error::Kind::transport,
                  {"round 1", "rank 0 receives 97 B from rank 2", "nothing"});
  const auto drop_receive = [](Round t, Rank r, Transfer& x) {
    if (t == 1 && r == 2 && x.kind == Kind::recv) x.slots.size = 0;
  };
  expect_mentions(error_when_changed(drop_receive), Error::Kind::transport,
                  {"round 1", "rank 0 sends 97 B to rank 2", "receives nothing"});
}

TEST(RunChecks, WhatNoExecutorCanPerformIsRefusedBeforeAnythingMoves) {
  const auto receives_into = [](Buffer buffer, Slot slot) {
    return [=](Round t, Rank r, Transfer& x) {
      if (t == 0 && r == 1 && x.kind == Kind::recv) x.buffer = buffer, x.slots.first = slot;
    };
  };
  expect_mentions(error_when_changed(receives_into(Buffer::in, 3)), Error::Kind::internal,
                  {"round 0", "rank 1", "slot 3 of in"});
  expect_mentions(error_when_changed(receives_into(Buffer::out, 8)), Error::Kind::internal,
                  {"round 0", "rank 1", "slot 8 of out"});
  expect_mentions(error_when_changed(receives_into(Buffer::tmp, 0)), Error::Kind::internal,
                  {"round 0", "rank 1", "slot 0 of tmp"});
  expect_mentions(error_when_changed([](Round t, Rank r, Transfer& x) {
                    if (t == 0 && r == 1) x.buffer = Buffer::out, x.slots.first = 4;
                  }),
                  Error::Kind::internal, {"round 0", "rank 1", "slot 4 of out", "reads"});
  expect_mentions(error_when_changed([](Round, Rank, Transfer& x) { x.peer += 8; }), Error::Kind::internal,
                  {"round 0", "rank 0 names rank 9"});
  const Spec spec = request(Collective::alltoall, "hypercube:3", 97);
  const Spec other = request(Collective::alltoall, "hypercube:3", 98);
  expect_mentions(error_of([&] { run_threads(other, *schedule_of(spec, "alltoall_mce:phases=3")); }),
                  Error::Kind::internal, {"97 B", "98 B"});
}

// ---- order by data

/// A schedule written out, by rounds.
class Written final : public Schedule {
 public:
  struct Entry {
    Round round;
    Rank from, to;
    Buffer source, target;
  };
  Written(Shape shape, std::vector<Entry> entries) : shape_(shape), entries_(std::move(entries)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto begin = std::lower_bound(entries_.begin(), entries_.end(), t,
                                        [](const Entry& e, Round round) { return e.round < round; });
    for (auto e = begin; e != entries_.end() && e->round == t; ++e) {
      if (e->from == r) out.send(e->to, e->source, contiguous(0, 1));
      if (e->to == r) out.recv(e->from, e->target, contiguous(0, 1));
    }
  }

 private:
  Shape shape_;
  std::vector<Entry> entries_;
};

/// Makes one rank late in one round.
Watch late(Rank rank, Round round) {
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
  EXPECT_EQ(run_threads(spec, schedule, {}, late(2, 1)).checked, 3000);
}

TEST(RunOrder, WhatIsPassedOnHasArrived) {
  const Spec spec = request(Collective::bcast, "crossbar:4", 1000);
  const Written chain(
      {.ranks = 4, .rounds = 3, .out = 1, .cut = {.bytes = 1000}},
      {{0, 0, 1, Buffer::out, Buffer::out}, {1, 1, 2, Buffer::out, Buffer::out}, {2, 2, 3, Buffer::out, Buffer::out}});
  for (Rank r = 1; r < 4; ++r) EXPECT_EQ(run_threads(spec, chain, {}, late(r, r - 1)).checked, 4000);
}

TEST(RunOrder, BarriersHoldAllRanksUnlessSwitchedOff) {
  const Spec spec = request(Collective::alltoall, "hypercube:3", 8);
  const SchedulePtr schedule = schedule_of(spec, "alltoall_mce:phases=1,1,1");
  std::vector<std::atomic<int>> entered(static_cast<std::size_t>(schedule->shape().rounds));
  std::atomic<int> early{0};
  const Watch watch{[&](Rank, Round t) { ++entered[static_cast<std::size_t>(t)]; },
                    [&](Rank, Round t) { early += schedule->barrier(t) && entered[static_cast<std::size_t>(t)] != 8; }};
  run_threads(spec, *schedule, {}, watch);
  EXPECT_EQ(early, 0);
  EXPECT_EQ(run_threads(spec, *schedule, {.barriers = false}).checked, 8 * 64);
}

TEST(RunOrder, RanksThatDawdleAtRandomChangeNothing) {
  for (const std::string choice : {"alltoall_mce:phases=1,1,1", "alltoall_mce:phases=1,2", "alltoall_mce:phases=3"}) {
    const Spec spec = request(Collective::alltoall, "hypercube:3", 97);
    const Watch dawdle{[](Rank r, Round t) {
                         std::this_thread::sleep_for(std::chrono::microseconds((r * 7919 + t * 104729) % 13 * 100));
                       },
                       {}};
    for (const bool barriers : {true, false})
      EXPECT_EQ(run_threads(spec, *schedule_of(spec, choice), {.barriers = barriers}, dawdle).checked, 64 * 97);
  }
}

// ---- one fails, all end

/// Rank `unlucky` throws in round `when`, when the others have had time to fall asleep.
void expect_failure(const std::string& choice, bool barriers, Rank unlucky, Round when) {
  SCOPED_TRACE(choice + (barriers ? "" : " without barriers") + ", round " + std::to_string(when));
  const Spec spec = request(Collective::alltoall, "hypercube:4", 97);
  const Watch watch{[=](Rank r, Round t) {
                      if (r != unlucky || t != when) return;
                      std::this_thread::sleep_for(std::chrono::milliseconds(3));
                      throw std::runtime_error("rank " + std::to_string(r));
                    },
                    {}};
  try {
    run_threads(spec, *schedule_of(spec, choice), {.barriers = barriers}, watch);
    ADD_FAILURE() << "no exception";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(e.what(), "rank " + std::to_string(unlucky));
  }
}

TEST(RunFailure, AnExceptionInOneRankEndsAllAndComesOut) {
  for (const std::string choice : {"alltoall_mce:phases=1,1,1,1", "alltoall_mce:phases=4"})
    for (const bool barriers : {true, false})
      for (const Rank unlucky : {0, 7, 15})
        for (const Round when : {0, 3, 7}) expect_failure(choice, barriers, unlucky, when);
}

TEST(RunFailure, WhenAllFailOneErrorComesOut) {
  const Spec spec = request(Collective::alltoall, "hypercube:4", 97);
  const Watch watch{[](Rank, Round) { throw Error(Error::Kind::argument, "all"); }, {}};
  EXPECT_EQ(error_of([&] { run_threads(spec, *schedule_of(spec, "alltoall_mce:phases=4"), {}, watch); }).kind(),
            Error::Kind::argument);
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

TEST(RunMany, ATeamEndsWithTheFirstError) {
  std::atomic<bool> stop{false};
  std::atomic<int> ended{0};
  const auto body = [&](Rank r) {
    if (r == 3) throw Error(Error::Kind::argument, "three");
    while (!stop) std::this_thread::yield();
    ++ended;
  };
  EXPECT_STREQ(error_of([&] { run_team(8, body, [&] { stop = true; }); }).what(), "three");
  EXPECT_EQ(ended, 7);
}

// ---- long messages

/// Runs on an exchange that believes that every rank has a core: senders then help with long messages.
void run_with_a_core_each(const Spec& spec, const Schedule& schedule, int runs) {
  std::vector<Program> programs;
  Compiler compiler(spec, schedule);
  for (Rank r = 0; r < spec.ranks(); ++r) programs.push_back(compiler.compile(r, true, Bytes{1} << 30));
  ThreadExchange exchange(programs, static_cast<int>(spec.ranks()));
  std::vector<std::unique_ptr<RankData>> data;
  for (const Program& p : programs) data.push_back(std::make_unique<RankData>(spec, p.rank, p.size, 11));
  const auto body = [&](Rank r) {
    const auto me = static_cast<std::size_t>(r);
    ThreadExchange::End end(exchange, r, data[me]->bases());
    for (int i = 0; i < runs; ++i) {
      data[me]->fill();
      end.barrier();
      end.begin();
      perform(programs[me], end, {});
      end.barrier();
      data[me]->check();
    }
  };
  run_team(spec.ranks(), body, [&] { exchange.cancel(); });
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

// ---- byte ranges

std::vector<Extent> extents_of(const std::vector<std::pair<Bytes, Bytes>>& stretches) {
  std::vector<Extent> list;
  StridedBuilder<1> builder(list);
  for (const auto& [offset, length] : stretches) builder.add({Buffer::out}, {offset}, length);
  builder.finish();
  return list;
}

TEST(Strided, NeighboursBecomeOneAndRhythmsOneEntry) {
  EXPECT_EQ(extents_of({{0, 4}, {4, 4}, {8, 2}}), (std::vector<Extent>{{{Buffer::out}, {0}, {0}, 10, 1}}));
  EXPECT_EQ(extents_of({{0, 4}, {10, 4}, {20, 4}}), (std::vector<Extent>{{{Buffer::out}, {0}, {10}, 4, 3}}));
  EXPECT_EQ(extents_of({{0, 4}, {4, 4}, {20, 4}, {24, 4}, {40, 8}}),
            (std::vector<Extent>{{{Buffer::out}, {0}, {20}, 8, 3}}));
  EXPECT_EQ(extents_of({{0, 4}, {10, 4}, {20, 4}, {31, 4}}),
            (std::vector<Extent>{{{Buffer::out}, {0}, {10}, 4, 3}, {{Buffer::out}, {31}, {0}, 4, 1}}));
  EXPECT_EQ(extents_of({{5, 0}, {9, 0}}), std::vector<Extent>{});
}

TEST(Strided, PairsOfAnyShapesCopyByteForByte) {
  std::mt19937 random(5);
  const auto draw = [&](Bytes low, Bytes high) { return std::uniform_int_distribution<Bytes>(low, high)(random); };
  for (int trial = 0; trial < 500; ++trial) {
    // Both sides: the same number of bytes, cut at random places and spread with gaps.
    const Bytes total = draw(1, 60), most = draw(1, 9), widest = draw(0, 3);
    std::array<std::vector<std::pair<Bytes, Bytes>>, 2> sides;
    std::array<std::vector<Bytes>, 2> places;
    for (std::size_t s = 0; s < 2; ++s)
      for (Bytes used = 0, at = 0; used < total;) {
        const Bytes length = std::min(total - used, draw(0, 3) ? most : draw(1, most));
        sides[s].push_back({at, length});
        for (Bytes i = 0; i < length; ++i) places[s].push_back(at + i);
        used += length;
        at += length + widest * draw(0, 1);
      }
    std::vector<Copy> copies;
    pair_up(extents_of(sides[0]), extents_of(sides[1]), copies);
    std::array<std::byte, 300> from{}, to{}, expected{};
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 251 + 1);
    for (std::size_t i = 0; i < places[0].size(); ++i)
      expected[static_cast<std::size_t>(places[1][i])] = from[static_cast<std::size_t>(places[0][i])];
    perform(copies, {nullptr, from.data(), nullptr}, {nullptr, to.data(), nullptr});
    ASSERT_EQ(to, expected) << "trial " << trial;
    const Bytes piece = draw(1, 20);
    std::vector<Copy> pieces;
    for (const Copy& c : copies) cut_up(c, piece, pieces);
    for (const Copy& c : pieces) ASSERT_LE(c.length * c.count, piece);
    to.fill(std::byte{0});
    perform(pieces, {nullptr, from.data(), nullptr}, {nullptr, to.data(), nullptr});
    ASSERT_EQ(to, expected) << "trial " << trial;
  }
}

}  // namespace
}  // namespace quadrille
