// Work and memory are bounded before they are spent, and blocks of no bytes are no work.
#include <gtest/gtest.h>

#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "schedule/dual.hpp"
#include "schedule/metered.hpp"
#include "settings.hpp"

namespace quadrille::budget_test {
namespace {

using testing::request;

Error::Kind kind_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  return Error::Kind::internal;
}

TEST(Budget, AStepIsPaidForSegmentBySegment) {
  const Spec spec = request(Collective::allgather, "hypercube:3", 8);
  const Built built = build(spec, Machine{}, parse_choice("allgather_tea1"));
  std::int64_t segments = 0;
  Collected list;
  for (Round t = 0; t < built.schedule->shape().rounds; ++t)
    segments += static_cast<std::int64_t>(list.all(*built.schedule, t, 0).size());
  schedule::Meter meter(1000, "too much");
  const schedule::Metered metered(*built.schedule, meter);
  for (Round t = 0; t < built.schedule->shape().rounds; ++t) list.all(metered, t, 0);
  EXPECT_EQ(meter.left(), 1000 - segments - schedule::visits_per_step * built.schedule->shape().rounds);
  schedule::Meter little(schedule::visits_per_step + 1, "too much");
  const schedule::Metered stopped(*built.schedule, little);
  EXPECT_EQ(kind_of([&] { list.all(stopped, 1, 0); }), Error::Kind::budget);
}

/// Says whether whoever asks for one message tells so.
class Asked final : public Schedule {
 public:
  Asked() { shape_ = {.ranks = 4, .rounds = 1, .in = 4, .out = 4, .cut = {.bytes = 1, .parts = 2}}; }
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank, Steps& out) const override { peer = out.only_peer(); }
  mutable std::optional<Rank> peer;

 private:
  Shape shape_;
};

/// Else whoever proves a reduction of few elements has long lists made again for every message.
TEST(Budget, WhoLeavesOutEmptySegmentsTellsWhichMessageIsWanted) {
  const auto asked = std::make_shared<Asked>();
  const SchedulePtr filled = schedule::without_empty(asked);
  ASSERT_NE(filled, asked);
  Collected list;
  list.one(*filled, 0, 0, Kind::send, 3);
  EXPECT_EQ(asked->peer, std::optional<Rank>(3));
  list.all(*filled, 0, 0);
  EXPECT_EQ(asked->peer, std::nullopt);
}

TEST(Budget, AProofTakesWhatItSaysAndNoMore) {
  for (const bool symmetry : {true, false}) {
    const Spec spec = request(Collective::allgather, "hypercube:6", 8);
    const Built built = build(spec, Machine{}, parse_choice("allgather_tea2"));
    const auto prove = [&](std::int64_t visits) {
      return verify(spec, Machine{}, *built.schedule, built.claims, {.visits = visits, .use_symmetry = symmetry});
    };
    const std::int64_t visits = prove(VerifyBudget{}.visits).visits;
    EXPECT_GT(visits, 6 * 63);
    EXPECT_TRUE(prove(visits).holds);
    EXPECT_EQ(kind_of([&] { prove(visits - 1); }), Error::Kind::budget);
  }
}

TEST(Budget, WhatIsTooLongIsRefusedBeforeItBegins) {
  const Spec spec = request(Collective::bcast, "ring:50000", 1000);
  const Built built = build(spec, Machine{}, parse_choice("bcast_pipelined:packets=1"));
  const auto progress = [](double) { FAIL() << "begun"; };
  EXPECT_EQ(kind_of([&] { verify(spec, Machine{}, *built.schedule, built.claims, {.progress = progress}); }),
            Error::Kind::budget);
  EXPECT_EQ(kind_of([&] { count(spec, Machine{}, *built.schedule, nullptr, {.progress = progress}); }),
            Error::Kind::budget);
}

TEST(Budget, LongRoutesAreWork) {
  const Machine circuits = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);
  const Spec spec = request(Collective::sendrecv, "ring:1073741824", 8);
  const Built built = build(spec, circuits, parse_choice("sendrecv_direct"));
  EXPECT_EQ(kind_of([&] { count(spec, circuits, *built.schedule); }), Error::Kind::budget);
}

TEST(Budget, ProgressRisesToTheEnd) {
  const Spec spec = request(Collective::allgather, "hypercube:4", 8);
  const Built built = build(spec, Machine{}, parse_choice("allgather_adea"));
  std::vector<double> told;
  const auto progress = [&](double share) { told.push_back(share); };
  verify(spec, Machine{}, *built.schedule, built.claims, {.progress = progress});
  EXPECT_EQ(told, (std::vector<double>{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1}));
  told.clear();
  count(spec, Machine{}, *built.schedule, nullptr, {.progress = progress});
  EXPECT_EQ(told, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

TEST(Budget, ProofsBySymmetryReachAMillionRanks) {
  for (const char* name : {"allgather_adea", "allgather_tea2"}) {
    const Spec spec = request(Collective::allgather, "hypercube:20", 1024);
    const Built built = build(spec, Machine{}, parse_choice(name));
    const Proof proof = verify(spec, Machine{}, *built.schedule, built.claims);
    EXPECT_TRUE(proof.holds);
    EXPECT_LT(proof.visits, VerifyBudget{}.visits / 16) << name;
  }
}

TEST(NoBytes, MoveNothingByAnyAlgorithm) {
  int cases = 0;
  for (const Algorithm& a : algorithms())
    for (const Machine& machine : testing::test_machines())
      for (const char* topology : {"hypercube:3", "ring:5", "crossbar:6"}) {
        if (!testing::can_request(a.collective, topology)) continue;
        const Spec spec = request(a.collective, topology, 0);
        if (spec.bytes > 0 || !a.illegal(spec, machine, {}).empty()) continue;  // a barrier has no size to choose
        SCOPED_TRACE(testing::command(spec, machine, a, {}));
        const Built built = build(spec, machine, {&a, {}});
        const Traffic traffic = count(spec, machine, *built.schedule);
        EXPECT_EQ(built.formula, Cost{});
        EXPECT_EQ(traffic.cost, Cost{});
        EXPECT_EQ(traffic.messages, 0);
        EXPECT_TRUE(verify(spec, machine, *built.schedule, built.claims).holds);
        ++cases;
      }
  EXPECT_GT(cases, 100);
}

TEST(Plan, NothingThatCanRunIsAnAnswer) {
  Machine machine = testing::test_machine(Ports::one, Duplex::node_half, Switching::store_and_forward);
  const Plan none = plan(request(Collective::transpose, "mesh:3x3", 8), machine);
  EXPECT_FALSE(none.possible());
  EXPECT_FALSE(none.refused.empty());
  for (const Refusal& r : none.refused) EXPECT_NE(r.reason, "");
}

TEST(Bound, HoldsOnTheLargestCompleteExchange) {
  // 2^30 ranks, 30 * 2^29 crossings each, over 30 * 2^30 links: 2^29 bytes a link at least, for blocks of 1 B.
  const Bound bound = lower_bound(request(Collective::alltoall, "hypercube:30", 1), Machine{});
  EXPECT_GE(bound.time, 536870912.0);
  EXPECT_FALSE(plan(request(Collective::alltoall, "hypercube:30", 3), Machine{}).candidates.empty());
}

}  // namespace
}  // namespace quadrille::budget_test
