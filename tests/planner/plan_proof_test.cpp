// Plans are proven: what is recommended has passed its proof, and an algorithm with a mistake cannot win, by any clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quadrille/plan.hpp"
#include "quadrille/sweep.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::plan_proof_test {
namespace {

using testing::request;

/// A schedule that ends one round early.
class EndsEarly final : public Schedule {
 public:
  explicit EndsEarly(SchedulePtr base) : base_(std::move(base)), shape_(base_->shape()) { --shape_.rounds; }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { base_->step(t, r, out); }
  bool barrier(Round t) const override { return base_->barrier(t); }
  Slot block(Buffer b, Slot label, Slot piece) const override { return base_->block(b, label, piece); }

 private:
  SchedulePtr base_;
  Shape shape_;
};

constexpr std::string_view base = "alltoall_pairwise";

Cost cost_of_nothing(const Spec&, const Machine&, const Params&) { return {.startups = 1, .bytes = 1}; }

SchedulePtr build_short(const Spec& spec, const Machine& machine, const Params& params) {
  return std::make_shared<EndsEarly>(find_algorithm(base).build(spec, machine, params));
}

/// All there are, and one that is cheaper than any of them because of its mistake.
std::vector<Algorithm> with_one_more(bool short_schedule) {
  std::vector<Algorithm> all = algorithms();
  Algorithm wrong = find_algorithm(base);
  wrong.name = "alltoall_wrong";
  wrong.cost = cost_of_nothing;
  if (short_schedule) wrong.build = build_short;
  all.push_back(wrong);
  return all;
}

Spec question() { return request(Collective::alltoall, "crossbar:5", 64); }

class WithAMistake : public ::testing::TestWithParam<bool> {};

TEST_P(WithAMistake, NoClockLetsItWin) {
  const std::vector<Algorithm> all = with_one_more(GetParam());
  const Machine machine = load_machine("localhost");
  const Plan honest = plan(question(), machine);
  for (const Effort effort : {Effort::estimate, Effort::simulate, Effort::measure}) {
    SCOPED_TRACE(to_string(effort));
    PlanOptions options{.effort = effort, .seconds = 0.01, .algorithms = &all};
    const Plan found = plan(question(), machine, options);
    ASSERT_TRUE(found.possible());
    EXPECT_NE(found.best().algorithm->name, "alltoall_wrong");
    if (!GetParam() && effort != Effort::estimate) continue;  // a clock does not believe the price
    for (const Candidate& c : found.candidates) EXPECT_NE(c.algorithm->name, "alltoall_wrong");
    ASSERT_EQ(found.mistakes.size(), 1U);
    EXPECT_EQ(found.mistakes.front().algorithm->name, "alltoall_wrong");
    EXPECT_NE(found.mistakes.front().why.find(GetParam() ? "must have" : "its price is for"), std::string::npos)
        << found.mistakes.front().why;
    EXPECT_EQ(found.best().assurance.how, Assurance::How::proven);
    EXPECT_TRUE(found.best().assurance.counted);
    EXPECT_EQ(found.candidates.size(), honest.candidates.size());
    if (effort == Effort::estimate) {
      EXPECT_EQ(found.best().algorithm->name, honest.best().algorithm->name);
    }
    if (effort == Effort::simulate) {  // nobody was given up because a mistake was faster
      const Plan alone = plan(question(), machine, {.effort = effort});
      EXPECT_EQ(found.best().algorithm->name, alone.best().algorithm->name);
      EXPECT_EQ(found.best().timing.time, alone.best().timing.time);
    }
  }
}

TEST_P(WithAMistake, ItDoesNotWinASweepAndItsRowSaysSo) {
  const std::vector<Algorithm> all = with_one_more(GetParam());
  SweepQuestion q{.points = {question()}, .machine = load_machine("localhost"), .choices = {}, .algorithms = &all};
  for (const Algorithm& a : all)
    if (a.collective == Collective::alltoall) q.choices.push_back({&a, {}});
  const std::vector<SweepRow> rows = sweep_point(q, 0);
  const SweepProofs proofs = proofs_of(rows);
  EXPECT_EQ(proofs.proven, 1U);
  EXPECT_EQ(proofs.undecided, 0U);
  ASSERT_EQ(proofs.mistakes.size(), 1U);
  EXPECT_EQ(proofs.mistakes.front().find("alltoall_wrong on crossbar:5, 64 B: wrong: "), 0U) << proofs.mistakes[0];
  for (const SweepRow& row : rows)
    if (row.algorithm == "alltoall_wrong") {
      EXPECT_FALSE(row.best);
      EXPECT_FALSE(row.known());
    }
}

INSTANTIATE_TEST_SUITE_P(PlanProof, WithAMistake, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "InTheSchedule" : "InTheFormula"; });

TEST(PlanProof, SaysWhatWasTooLargeAndProvesNothingUnasked) {
  const Machine machine = load_machine("localhost");
  const Plan little = plan(question(), machine, {.proof = 10});
  EXPECT_EQ(little.best().assurance.how, Assurance::How::too_large);
  EXPECT_EQ(little.best().assurance.visits, 10);
  EXPECT_TRUE(little.mistakes.empty());
  const Plan none = plan(question(), machine, {.proof = 0});
  EXPECT_EQ(none.best().assurance.how, Assurance::How::none);
  EXPECT_EQ(plan(question(), machine).best().assurance.how, Assurance::How::proven);
}

/// A plan does not count again what it has counted, and says what counting says; also of what is too large to count.
TEST(PlanProof, FindsWhatAProofWithoutThePlanFinds) {
  const Machine machine = load_machine("cluster");
  std::size_t counted = 0, not_counted = 0;
  for (const std::string network :
       {"fattree:4", "fattree:4*2", "star:4*2", "dragonfly:2,2,1", "torus:3x3*2", "torus:4x4"})
    for (const Collective c : {Collective::alltoall, Collective::allgather, Collective::bcast, Collective::allreduce,
                               Collective::reduce_scatter})
      for (const Bytes bytes : {1, 1000})
        for (const int budget : {8, 11, 14, 20}) {
          if (!testing::sampled(fmt::format("{} {} {} {}", network, to_string(c), bytes, budget), 3)) continue;
          const Plan found = plan(request(c, network, bytes), machine, {.proof = std::int64_t{1} << budget});
          const Candidate& best = found.best();
          const Assurance alone = assure(found.spec, machine, {best.algorithm, best.params}, best.assurance.visits,
                                         found.order, found.network);
          EXPECT_EQ(best.assurance.how, alone.how) << to_text(found.spec) << " 2^" << budget;
          EXPECT_EQ(best.assurance.counted, alone.counted) << to_text(found.spec) << " 2^" << budget;
          EXPECT_EQ(best.assurance.why, alone.why);
          EXPECT_EQ(best.assurance.result, alone.result);
          (alone.counted ? counted : not_counted) += 1;
        }
  EXPECT_GT(counted, testing::sanitized ? 15U : 50U);
  EXPECT_GT(not_counted, testing::sanitized ? 6U : 20U);
}

TEST(PlanProof, WhereOnlyAMistakeCanRunNothingIsRecommended) {
  const std::vector<Algorithm> wrong{with_one_more(true).back()};
  const Plan found = plan(question(), load_machine("localhost"), {.algorithms = &wrong});
  EXPECT_FALSE(found.possible());
  EXPECT_EQ(found.mistakes.size(), 1U);
}

TEST(PlanProof, SweepsAnswerAsPlansDoParametersToo) {
  std::size_t points = 0, with_params = 0;
  for (const std::string name : {"localhost", "ipsc860", "paragon"})
    for (const std::string network : {"crossbar:32", "ring:9", "hypercube:5", "torus:4x4", "mesh:3x5"})
      for (const Switching switching : {Switching::circuit, Switching::wormhole})
        for (const Collective c : {Collective::alltoall, Collective::allgather, Collective::bcast}) {
          if (!testing::sampled(fmt::format("{} {} {}", name + network, to_string(switching), to_string(c)), 4))
            continue;
          SweepQuestion q{.points = {}, .machine = load_machine(name), .choices = {}};
          q.machine.switching = switching;
          for (const Bytes bytes : {8, 512, 4096, 65536}) q.points.push_back(request(c, network, bytes));
          for (const Algorithm& a : algorithms())
            if (a.collective == c) q.choices.push_back({&a, {}});
          for (std::size_t i = 0; i < q.points.size(); ++i, ++points) {
            const Plan one = plan(q.points[i], q.machine, {.proof = q.proof});
            std::string best;
            for (const SweepRow& row : sweep_point(q, i))
              if (row.best) best = row.choice();
            EXPECT_EQ(best, one.possible() ? to_text(*one.best().algorithm, one.best().params) : "")
                << network << " " << q.points[i].bytes << " B on " << to_text(q.machine);
            with_params += one.possible() && !one.best().params.values().empty();
          }
        }
  EXPECT_TRUE(testing::sanitized ? points > 40 : points == 360) << points;  // at some of them nothing can run
  EXPECT_GT(with_params, testing::sanitized ? 5U : 50U);
}

TEST(PlanProof, ARangeOfASweepEndsWhereTheParametersChange) {
  const auto row = [](Bytes bytes, std::string params) {
    SweepRow r{.topology = "ring:4", .ranks = 4, .bytes = bytes, .algorithm = "a", .params = std::move(params)};
    r.price = 1, r.best = true;
    return r;
  };
  const std::vector<SweepRow> rows{row(1, "n=1"), row(2, "n=1"), row(4, "n=2"), row(8, "n=3"), row(16, "n=3")};
  const std::vector<SweepWinner> w = winners(rows);
  ASSERT_EQ(w.size(), 3U);
  EXPECT_EQ(std::tuple(w[0].from, w[0].to, w[0].params), std::tuple(1, 2, "n=1"));
  EXPECT_EQ(std::tuple(w[1].from, w[1].to, w[1].params), std::tuple(4, 4, "n=2"));
  EXPECT_EQ(std::tuple(w[2].from, w[2].to, w[2].params), std::tuple(8, 16, "n=3"));
  const std::vector<SweepFixed> f = best_fixed(rows);
  ASSERT_EQ(f.size(), 1U);
  EXPECT_FALSE(f[0].same_params);
  EXPECT_EQ(f[0].params, "");
  EXPECT_EQ(best_fixed({row(1, "n=7"), row(2, "n=7")})[0].params, "n=7");
}

}  // namespace
}  // namespace quadrille::plan_proof_test
