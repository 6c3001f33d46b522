// Barriers: nobody leaves before all have entered. What is proven, what no barrier beats, and who meets that.
#include <gtest/gtest.h>

#include "executed.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/run.hpp"
#include "quadrille/verify.hpp"
#include "settings.hpp"

namespace quadrille::barrier_test {
namespace {

using testing::ByRank;
using testing::test_machine;

Spec barrier(const std::string& network) {
  return checked({.collective = Collective::barrier, .topology = parse_topology(network)});
}
const Machine all_ports = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
const Machine one_port = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);

TEST(Barrier, HasNoSizeToChoose) {
  const Spec spec = checked({.collective = Collective::barrier, .topology = parse_topology("ring:4"), .bytes = 4096});
  EXPECT_EQ(spec.bytes, 1);
  EXPECT_EQ(to_text(spec), "barrier ring:4");
  EXPECT_EQ(to_text(parse_spec("barrier ring:4")), "barrier ring:4");
  EXPECT_THROW(parse_spec("barrier ring:4 64KiB"), Error);
  EXPECT_THROW(parse_spec("barrier ring:4 bits=any"), Error);
}

/// Rounds of the best barrier, and those that no barrier beats.
void expect_rounds(const std::string& network, const Machine& machine, std::int64_t rounds, std::int64_t least) {
  const Plan plan = quadrille::plan(barrier(network), machine, {});
  ASSERT_TRUE(plan.possible()) << network;
  EXPECT_EQ(plan.best().cost.startups, rounds) << network;
  EXPECT_EQ(plan.bound.parts.front().rounds, least) << network;
  EXPECT_EQ(plan.best().assurance.how, Assurance::How::proven) << network;
}

TEST(Barrier, TakesAsManyRoundsAsTheLongestWayOrTheSpreadingOfWordAsks) {
  expect_rounds("torus:4x4", all_ports, 4, 4);
  expect_rounds("mesh:3x5", all_ports, 6, 6);
  expect_rounds("ring:9", all_ports, 4, 4);
  expect_rounds("hypercube:5", all_ports, 5, 5);
  expect_rounds("hypercube:5", one_port, 5, 5);
  expect_rounds("crossbar:13", one_port, 4, 4);
  expect_rounds("crossbar:13", all_ports, 1, 1);
  expect_rounds("omega:3", one_port, 3, 3);
}

/// A rank that hears of some ranks twice still ends with the word of all.
TEST(Barrier, CountsARankAsOftenAsItIsHeardOf) {
  const Spec spec = barrier("crossbar:3");
  const Built built = build(spec, one_port, parse_choice("barrier_dissemination"));
  const Proof proof = verify(spec, one_port, *built.schedule, built.claims);
  EXPECT_TRUE(proof.holds);
  Spec sum{.collective = Collective::allreduce, .topology = spec.topology, .bytes = 1};
  sum.identical = false;
  const Proof wrong = verify(checked(sum), one_port, *built.schedule, built.claims);
  ASSERT_FALSE(wrong.holds);
  EXPECT_EQ(wrong.counterexample->kind, Counterexample::Kind::doubled);
}

/// The last round left out, one message left out, a message in place of what was known: somebody leaves too early.
TEST(Barrier, IsRefusedWhereSomebodyLeavesTooEarly) {
  class Less final : public Schedule {
   public:
    Less(SchedulePtr base, Round round, Rank from, bool stored)
        : base_(std::move(base)), round_(round), from_(from), stored_(stored) {}
    const Shape& shape() const override { return base_->shape(); }
    void step(Round t, Rank r, Steps& out) const override {
      Collected all;
      for (Transfer x : all.all(*base_, t, r)) {
        const bool hit = t == round_ && (x.kind == Kind::send ? r : x.peer) == from_;
        if (hit && !stored_) continue;
        if (hit && x.kind == Kind::recv) x.combine = {};
        out.add(x);
      }
    }

   private:
    SchedulePtr base_;
    Round round_;
    Rank from_;
    bool stored_;
  };
  for (const char* text : {"barrier_dissemination", "barrier_binomial", "barrier_doubling"}) {
    const Spec spec = barrier("crossbar:8");
    const Built built = build(spec, one_port, parse_choice(text));
    for (Round t = 0; t < built.schedule->shape().rounds; ++t)
      for (const bool stored : {false, true}) {
        bool sends = false;
        Collected all;
        for (const Transfer& x : all.all(*built.schedule, t, 4)) sends |= x.kind == Kind::send;
        if (!sends || (stored && t > 0 && std::string_view(text) == "barrier_binomial")) continue;
        const Proof proof = verify(spec, one_port, Less(built.schedule, t, 4, stored), built.claims);
        EXPECT_FALSE(proof.holds) << text << " round " << t << (stored ? " stored" : " left out");
      }
  }
}

TEST(Barrier, RunsOnThreads) {
  int runs = 0;
  for (const Algorithm& a : algorithms())
    for (const char* network : {"torus:3x4", "ring:2", "hypercube:3", "crossbar:5", "bus:4", "memory:3", "mesh:2x3"})
      for (const Machine& machine : testing::machines_on(*parse_topology(network))) {
        const Spec spec = barrier(network);
        if (a.collective != Collective::barrier || !a.illegal(spec, machine, {}).empty()) continue;
        EXPECT_EQ(run_threads(spec, *build(spec, machine, {&a, {}}).schedule).checked, spec.ranks()) << a.name;
        ++runs;
      }
  EXPECT_GT(runs, 20);
}

}  // namespace
}  // namespace quadrille::barrier_test
