// One row of facts for every algorithm: start-ups and bytes sent, permuted and packed in a small case, worked out apart
// from the code (most by the round-by-round simulation behind tests/reference). An algorithm without a row fails.
#include "facts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "quadrille/demands.hpp"
#include "quadrille/price.hpp"
#include "quadrille/sources.hpp"
#include "reduction_facts.hpp"
#include "settings.hpp"

namespace quadrille::facts_test {
namespace {

TEST(Facts, HoldForTheClosedFormAndTheCount) {
  for (const Fact& fact : facts) {
    SCOPED_TRACE(fact.algorithm);
    const Choice choice = parse_choice(fact.algorithm);
    Spec spec = testing::request(choice.algorithm->collective, fact.topology, fact.bytes, 0, fact.target);
    if (spec.sources) spec.sources = parse_sources(fact.sources, *spec.topology, fact.bytes);
    if (spec.demands) spec.demands = parse_demands(fact.sources, *spec.topology, fact.bytes);
    Machine machine = testing::test_machine(fact.ports, fact.duplex, Switching::store_and_forward);
    for (const Switching other : {Switching::circuit, Switching::wormhole})
      if (!choice.algorithm->illegal(spec, machine, choice.params).empty()) machine.switching = other;
    const Built built = build(spec, machine, choice);
    const Traffic traffic = count(spec, machine, *built.schedule);
    EXPECT_EQ(traffic.cost.startups, fact.startups);
    EXPECT_EQ(traffic.cost.bytes, fact.wire_bytes);
    EXPECT_EQ(traffic.cost.permuted, fact.permuted);
    EXPECT_EQ(built.formula.startups, fact.startups);
    EXPECT_EQ(built.formula.bytes, fact.wire_bytes);
    EXPECT_EQ(built.formula.permuted, fact.permuted);
    if (!built.claims.exact) continue;  // how scattered partial results lie is counted only
    EXPECT_EQ(traffic.cost.packed, fact.packed);
    EXPECT_EQ(built.formula.packed, fact.packed);
  }
}

TEST(Facts, OfReductionsHoldForTheClosedFormAndTheCount) {
  for (const ReductionFact& fact : reduction_facts) {
    SCOPED_TRACE(fact.algorithm);
    const Choice choice = parse_choice(fact.algorithm);
    const Spec spec = testing::request(choice.algorithm->collective, fact.topology, fact.bytes, fact.root);
    const Machine machine = testing::test_machine(fact.ports, full, Switching::store_and_forward);
    const Built built = build(spec, machine, choice);
    const Cost counted = count(spec, machine, *built.schedule).cost;
    EXPECT_EQ(counted.combined, fact.combined);
    if (built.claims.exact) {
      EXPECT_EQ(built.formula.combined, fact.combined);
    }
    for (const Cost& cost : {counted, built.formula}) {
      EXPECT_EQ(cost.startups, fact.startups);
      EXPECT_EQ(cost.bytes, fact.wire_bytes);
      EXPECT_EQ(cost.packed, fact.packed);
    }
  }
}

/// A rank that passes on what is another's keeps it in between.
bool goes_straight(const Schedule& schedule) {
  Collected list;
  for (Rank r = 0; r < schedule.shape().ranks; ++r)
    for (Round t = schedule.active(r).first; t < schedule.active(r).end; ++t)
      for (const Transfer& x : list.all(schedule, t, r))
        if (x.buffer != (x.kind == Kind::send ? Buffer::in : Buffer::out)) return false;
  return true;
}

TEST(Facts, AlltoallvSaysOfItselfWhetherItGoesStraight) {
  int asked = 0;
  for (const Fact& fact : facts) {
    const Choice choice = parse_choice(fact.algorithm);
    if (choice.algorithm->collective != Collective::alltoallv) continue;
    Spec spec = testing::request(choice.algorithm->collective, fact.topology, fact.bytes, 0, fact.target);
    if (spec.topology->nodes() > spec.topology->ranks()) continue;  // all go to a memory, and from there
    spec.demands = parse_demands(fact.sources, *spec.topology, fact.bytes);
    const Machine machine = testing::test_machine(fact.ports, fact.duplex, Switching::circuit);
    EXPECT_EQ(goes_straight(*build(spec, machine, choice).schedule), choice.algorithm->straight) << fact.algorithm;
    ++asked;
  }
  EXPECT_GE(asked, 5);
}

TEST(Facts, AreThereForEveryAlgorithm) {
  std::set<std::string_view> known;
  for (const ReductionFact& fact : reduction_facts) known.insert(parse_choice(fact.algorithm).algorithm->name);
  for (const Fact& fact : facts) known.insert(parse_choice(fact.algorithm).algorithm->name);
  for (const Algorithm& a : algorithms()) EXPECT_TRUE(known.contains(a.name)) << a.name << " has no row of facts";
}

}  // namespace
}  // namespace quadrille::facts_test
