// Reductions on threads: every algorithm computes what a fold in the order of ranks makes of all contributions,
// combines in the order in which messages are listed, and what is wrong with a schedule is seen in the data.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

#include "executed.hpp"
#include "executor/reference.hpp"
#include "quadrille/run.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "seen.hpp"

namespace quadrille::reductions_test {
namespace {

using namespace testing;

Bytes results_of(const Spec& spec) {
  Bytes all = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) all += buffer_bytes(spec, Buffer::out, r);
  return all;
}

const std::vector<std::string> networks{"fly:2^3",     "ring:4",   "ring:5",     "torus:3x3",  "torus:2x2x2",
                                        "hypercube:3", "mesh:2x3", "crossbar:6", "crossbar:8", "bus:4",
                                        "memory:4",    "omega:2",  "star:3*2"};

/// Runs some variants of an algorithm on a network, for so many elements.
int run_some(const Algorithm& a, const std::string& network, Operands operands, Bytes element,
             const std::vector<Bytes>& lengths) {
  int runs = 0;
  SeenSchedules seen;
  const std::vector<Machine> all = test_machines();
  for (const Machine& machine : {all.front(), all.back()})
    for (const Bytes elements : lengths) {
      const Rank ranks = parse_topology(network)->ranks();
      Spec spec = reduction(a.collective, network, elements * element, operands, element, ranks / 3);
      spec.identical = false;  // sums of integers have the same bits however they are grouped
      if (!a.illegal(spec, machine, {}).empty()) continue;
      std::vector<Params> variants = a.variants(spec, machine);
      if (variants.size() > 2) variants.erase(variants.begin() + 1, variants.end() - 1);
      for (const Params& params : variants) {
        const std::string what = command(spec, machine, a, params);
        SCOPED_TRACE(what);
        if (operands == Operands::ordered && !a.claims(spec, machine, params).in_order) continue;
        if (runs > 0 && !sampled(what)) continue;
        const Built built = build(spec, machine, {&a, params});
        if (operands == Operands::ordered && !verify(spec, in_turns(machine), *built.schedule, built.claims).holds)
          continue;
        if (seen.seen(to_text(spec) + to_text(a, params), *built.schedule)) continue;
        RunResult result;
        EXPECT_NO_THROW(result = run_threads(spec, *built.schedule, {.seed = 5}));
        EXPECT_EQ(result.checked, results_of(spec));
        ++runs;
      }
    }
  return runs;
}

TEST(RunReductions, EveryAlgorithmComputesWhatAFoldInTheOrderOfRanksDoes) {
  for (const Algorithm& a : algorithms()) {
    if (!combines({.collective = a.collective, .topology = parse_topology("ring:2")})) continue;
    int runs = 0;
    for (const std::string& network : networks) {
      runs += run_some(a, network, Operands::commutative, 1, {0, 3, 97});
      runs += run_some(a, network, Operands::commutative, 8, {61});
    }
    EXPECT_GT(runs, 0) << a.name;
  }
}

TEST(RunReductions, AlgorithmsThatKeepTheOrderAreRightForOperatorsThatDoNotCommute) {
  std::set<std::string_view> ran;
  for (const Algorithm& a : algorithms()) {
    if (!combines({.collective = a.collective, .topology = parse_topology("ring:2")})) continue;
    for (const std::string& network : networks)
      if (run_some(a, network, Operands::ordered, 2, {1, 97}) > 0) ran.insert(a.name);
  }
  EXPECT_TRUE(ran.count("reduce_scatter_linear") > 0 && ran.count("allreduce_linear") > 0);
}

TEST(RunReductions, BlocksOfUnequalLengthsAndOfNoneAreReducedToo) {
  Spec spec = reduction(Collective::reduce_scatter, "ring:5", 0, Operands::commutative, 4);
  spec.offsets = std::make_shared<const std::vector<Bytes>>(std::vector<Bytes>{0, 40, 40, 44, 144, 144});
  spec = checked(spec);
  Machine machine;
  const Algorithm& a = find_algorithm("reduce_scatter_ring");
  ASSERT_EQ(a.illegal(spec, machine, {}), "");
  EXPECT_EQ(run_threads(spec, *build(spec, machine, {&a, {}}).schedule).checked, 144);
}

TEST(RunReductions, ElementsThatNothingCanCombineInOrderAreRefused) {
  const Spec spec = reduction(Collective::scan, "crossbar:2", 3, Operands::ordered, 3);
  const ByRank nothing({.ranks = 2, .rounds = 0, .in = 1, .out = 1, .cut = {.bytes = 3}}, {});
  expect_mentions(error_of([&] { run_threads(spec, nothing); }), Error::Kind::argument, {"element 3", "even number"});
}

// ---- by hand

const Spec ordered_scan = reduction(Collective::scan, "crossbar:3", 200, Operands::ordered, 2);
const Shape one_part{.ranks = 3, .rounds = 2, .in = 1, .out = 1, .tmp = 1, .cut = {.bytes = 200, .unit = 2}};

TEST(RunReductions, AScanByHandKeepsTheFirstRanksOwnContribution) {
  const std::vector<ByRank::Entry> entries{{0, 0, sends(1, Buffer::in)},
                                           {0, 1, takes(0, Buffer::out, {.incoming = left})},
                                           {1, 1, sends(2, Buffer::out)},
                                           {1, 2, takes(1, Buffer::out, {.incoming = left})}};
  const RunResult result = run_threads(ordered_scan, ByRank(one_part, entries));
  EXPECT_EQ(result.checked, 600);
  EXPECT_EQ(result.combined, 400);
  EXPECT_EQ(result.moved, 400);
  auto wrong = entries;
  wrong.back().transfer.combine.incoming = right;
  expect_mentions(error_of([&] { run_threads(ordered_scan, ByRank(one_part, wrong)); }), Error::Kind::transport,
                  {"rank 2", "byte", "ranks 0 .. 2 contribute"});
  wrong = entries;
  wrong.erase(wrong.begin() + 2, wrong.end());
  expect_mentions(error_of([&] { run_threads(ordered_scan, ByRank(one_part, wrong)); }), Error::Kind::transport,
                  {"rank 2", "byte 0", "probably never combined"});
}

TEST(RunReductions, OneMessageFillsSeveralPlaces) {
  // Rank 1 keeps what comes and combines it, too; rank 2 gets that copy, and what makes it whole.
  const std::vector<ByRank::Entry> entries{
      {0, 0, sends(1, Buffer::in)},
      {0, 1, takes(0, Buffer::tmp, {})},
      {0, 1, takes(0, Buffer::out, {.incoming = left, .again = true})},
      {0, 1, sends(2, Buffer::in)},
      {0, 2, takes(1, Buffer::out, {.incoming = left})},
      {1, 1, sends(2, Buffer::tmp)},
      {1, 2, takes(1, Buffer::out, {.incoming = left, .buffer = Buffer::out})},
  };
  const RunResult result = run_threads(ordered_scan, ByRank(one_part, entries));
  EXPECT_EQ(result.checked, 600);
  EXPECT_EQ(result.messages, 3);
  EXPECT_EQ(result.moved, 600);
  EXPECT_EQ(result.combined, 600);
  auto wrong = entries;
  wrong[2].transfer.combine.again = false;
  expect_mentions(error_of([&] { run_threads(ordered_scan, ByRank(one_part, wrong)); }), Error::Kind::transport,
                  {"round 0", "rank 1 receives 400 B from rank 0", "200 B"});
}

TEST(RunReductions, SeveralCombineIntoOnePlaceInTheOrderInWhichTheyAreListed) {
  const Spec spec = reduction(Collective::reduce, "crossbar:4", 200, Operands::ordered, 2, 2);
  const Shape shape{.ranks = 4, .rounds = 1, .in = 1, .out = 1, .cut = {.bytes = 200, .unit = 2}};
  std::vector<ByRank::Entry> entries{
      {0, 0, sends(2, Buffer::in)},
      {0, 1, sends(2, Buffer::in)},
      {0, 3, sends(2, Buffer::in)},
      {0, 2, takes(1, Buffer::out, {.incoming = left})},
      {0, 2, takes(0, Buffer::out, {.incoming = left, .buffer = Buffer::out})},
      {0, 2, takes(3, Buffer::out, {.incoming = right, .buffer = Buffer::out})},
  };
  EXPECT_EQ(run_threads(spec, ByRank(shape, entries)).checked, 200);
  for (int late = 0; late < 4; ++late) {  // whoever comes last
    const executor::Watch watch{[=](Rank r, Round) {
                                  if (r == late) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                                },
                                {}};
    EXPECT_EQ(executor::run_threads(spec, ByRank(shape, entries), {}, watch).checked, 200);
  }
  auto exchanged = entries;
  std::swap(exchanged[3].transfer.peer, exchanged[4].transfer.peer);
  expect_mentions(error_of([&] { run_threads(spec, ByRank(shape, exchanged)); }), Error::Kind::transport,
                  {"rank 2, byte", "ranks 0 .. 3"});
  auto twice_from_in = entries;
  twice_from_in[4].transfer.combine.buffer = Buffer::in;
  expect_mentions(error_of([&] { run_threads(spec, ByRank(shape, twice_from_in)); }), Error::Kind::internal,
                  {"round 0: rank 2 writes slot 0 of out", "a second time"});
}

TEST(RunReductions, ARankCombinesItsOwnBytes) {
  const Spec spec = reduction(Collective::exscan, "crossbar:3", 200, Operands::ordered, 2);
  Shape shape = one_part;
  shape.rounds = 3;
  std::vector<ByRank::Entry> entries{{0, 0, sends(1, Buffer::in)},  {0, 1, takes(0, Buffer::out, {})},
                                     {1, 1, sends(1, Buffer::out)}, {1, 1, takes(1, Buffer::tmp, {.incoming = left})},
                                     {2, 1, sends(2, Buffer::tmp)}, {2, 2, takes(1, Buffer::out, {})}};
  const RunResult result = run_threads(spec, ByRank(shape, entries));
  EXPECT_EQ(result.checked, 400);
  EXPECT_EQ(result.combined, 200);
  EXPECT_EQ(result.permuted, 0);
  entries[3].transfer.combine.incoming = right;
  expect_mentions(error_of([&] { run_threads(spec, ByRank(shape, entries)); }), Error::Kind::transport, {"rank 2"});
}

TEST(RunReductions, WhatNoExecutorCanPerformIsRefusedBeforeAnythingMoves) {
  const auto refused = [](const Transfer& at_rank_1) {
    return error_of([&] {
      run_threads(ordered_scan, ByRank(one_part, {{0, 0, sends(1, Buffer::in)},
                                                  {0, 1, sends(2, Buffer::tmp)},
                                                  {0, 2, takes(1, Buffer::tmp, {})},
                                                  {0, 1, at_rank_1}}));
    });
  };
  expect_mentions(refused(takes(0, Buffer::in, {.incoming = left})), Error::Kind::internal, {"slot 0 of in"});
  expect_mentions(refused(takes(0, Buffer::tmp, {.incoming = left})), Error::Kind::internal,
                  {"slot 0 of tmp", "reads"});
  expect_mentions(refused(takes(0, Buffer::out, {.incoming = left, .with = 1})), Error::Kind::internal,
                  {"names slot 1 of in"});
  Shape halves = one_part;
  halves.cut = {.bytes = 200, .packets = 8};  // of 25 bytes
  expect_mentions(error_of([&] {
                    run_threads(ordered_scan, ByRank(halves, {{0, 0, sends(1, Buffer::in)}}));
                  }),
                  Error::Kind::internal, {"25 B", "cuts an element of 2"});
  Shape longer = one_part;
  longer.cut.bytes = 202;
  expect_mentions(error_of([&] { run_threads(ordered_scan, ByRank(longer, {})); }), Error::Kind::internal,
                  {"202 B", "200 B"});
}

// ---- mutants

/// A schedule with one segment changed: the `number`-th that combines.
class Mutant final : public Schedule {
 public:
  Mutant(SchedulePtr base, int number, std::function<void(Transfer&)> change)
      : base_(std::move(base)), number_(number), change_(std::move(change)) {}
  const Shape& shape() const override { return base_->shape(); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }
  void step(Round t, Rank r, Steps& out) const override {
    Collected collected, others;
    int before = 0;
    for (Round i = 0; i <= t; ++i)
      for (Rank k = 0; k < (i < t ? shape().ranks : r); ++k)
        for (const Transfer& x : others.all(*base_, i, k)) before += x.combine.combines();
    for (Transfer x : collected.all(*base_, t, r)) {
      if (x.combine.combines() && before++ == number_) change_(x);
      out.add(x);
    }
  }

 private:
  SchedulePtr base_;
  int number_;
  std::function<void(Transfer&)> change_;
};

TEST(RunReductions, MutantsAreSeenInTheData) {
  for (const auto& [name, network] : std::vector<std::pair<std::string, std::string>>{
           {"reduce_scatter_linear", "crossbar:4"}, {"allreduce_linear", "crossbar:3"}}) {
    const Algorithm& a = find_algorithm(name);
    const Spec spec = reduction(a.collective, network, 24, Operands::ordered, 2);
    const Built built = build(spec, test_machine(Ports::all, Duplex::full, Switching::store_and_forward), {&a, {}});
    int all = 0;
    Collected collected;
    for (Round t = 0; t < built.schedule->shape().rounds; ++t)
      for (Rank r = 0; r < spec.ranks(); ++r)
        for (const Transfer& x : collected.all(*built.schedule, t, r)) all += x.combine.combines();
    ASSERT_GT(all, 2);
    EXPECT_NO_THROW(run_threads(spec, *built.schedule));
    const std::vector<std::pair<std::string, std::function<void(Transfer&)>>> changes{
        {"other side", [](Transfer& x) { x.combine.incoming = x.combine.incoming == left ? right : left; }},
        {"stored", [](Transfer& x) { x.combine = {}; }},
        {"left out", [](Transfer& x) { x.slots.size = 0; }},
        {"an operand that is not there yet, or used up",
         [](Transfer& x) {
           const bool from_in = x.combine.buffer == Buffer::in;
           x.combine.buffer = from_in ? x.buffer : Buffer::in;
           x.combine.with = from_in ? x.slots.first : x.combine.with;
         }},
    };
    for (int i = 0; i < all; ++i)
      for (const auto& [what, change] : changes)
        EXPECT_THROW(run_threads(spec, Mutant(built.schedule, i, change)), Error) << name << ' ' << what << ' ' << i;
  }
}

// ---- long vectors, rounded sums

TEST(RunReductions, SendersHelpToCombineAndNothingIsCombinedTwice) {
  for (const auto& [name, network] : std::vector<std::pair<std::string, std::string>>{
           {"allreduce_halving", "hypercube:2"}, {"reduce_chain", "ring:3"}, {"allreduce_linear", "crossbar:3"}}) {
    const Algorithm& a = find_algorithm(name);
    const Spec spec = reduction(a.collective, network, 24 * 43691, Operands::commutative, 24);
    const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
    ASSERT_EQ(a.illegal(spec, machine, {}), "") << name;
    const executor::Reference reference(spec, 3);
    const Built built = build(spec, machine, {&a, {}});
    const auto fill = [&](Rank r, const program::Program& p, const program::Bases& bases) {
      for (Bytes at = 0; at < p.size[0]; at += 8) reference.contribution(r, at, {bases[0] + at, 8});
      std::fill_n(bases[1], p.size[1], std::byte{7});
    };
    const auto look = [&](Rank r, const program::Program& p, const program::Bases& bases) {
      std::vector<std::byte> right(static_cast<std::size_t>(p.size[1]));
      reference.result(r, 0, right);
      EXPECT_TRUE(std::equal(right.begin(), right.end(), bases[1])) << name << ", rank " << r;
    };
    Bench{spec, *built.schedule, executor::operator_of(spec), static_cast<int>(spec.ranks()), 4}.run(fill, look);
  }
}

}  // namespace
}  // namespace quadrille::reductions_test
