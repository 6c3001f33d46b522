// What is known of each operation, and in which terms the planner is asked about its calls.
#include "dropin/decide/operation.hpp"

#include <gtest/gtest.h>

#include <set>

#include "dropin/decide/circumstances.hpp"
#include "dropin/decide/request.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::dropin {
namespace {

TEST(Operations, AreFoundByTheirNames) {
  for (const OperationFacts& facts : operation_facts) EXPECT_EQ(find_operation(facts.name), facts.operation);
  EXPECT_FALSE(find_operation("allgatherw"));
  EXPECT_FALSE(find_operation(""));
}

TEST(Operations, WithPlansAreThoseThatWisdomHolds) {
  std::set<std::string> planned;
  for (const OperationFacts& facts : operation_facts)
    for (const Ending ending : {Ending::at_once, Ending::persistent, Ending::non_blocking})
      if (has_plans(facts.operation) && (ending != Ending::non_blocking || !differs_by_rank(facts.operation)))
        planned.insert(trial_of({}, facts.operation, 4, ending).operation);
  EXPECT_EQ(planned, std::set<std::string>(trial_operations().begin(), trial_operations().end()));
}

/// Somebody gives what is taken: else a call would move nothing.
TEST(Operations, WithPlansMoveBlocks) {
  for (const OperationFacts& facts : operation_facts) {
    if (!has_plans(facts.operation) || facts.operation == Operation::barrier) continue;  // which moves words
    EXPECT_TRUE(facts.takes.root != Blocks::none || facts.takes.others != Blocks::none) << facts.name;
    const bool root_gives = facts.gives.root != Blocks::none || facts.bytes == BytesAre::of_a_message;
    EXPECT_TRUE(root_gives) << facts.name;
  }
}

TEST(Spec, OfBlocksThatDifferIsAMultibcast) {
  const TopologyPtr ring = parse_topology("ring:4");
  Request request{.operation = Operation::allgatherv, .bytes = 30, .lengths = {10, 0, 15, 5}};
  const Spec differ = *spec_of(request, ring);
  EXPECT_EQ(differ.collective, Collective::multibcast);
  EXPECT_EQ(differ.sources->bytes(1), 15);
  request = {.operation = Operation::allgatherv, .bytes = 40, .lengths = {10, 10, 10, 10}};
  EXPECT_EQ(spec_of(request, ring)->collective, Collective::allgather);
  EXPECT_EQ(spec_of(request, ring)->bytes, 10);
  request.lengths.clear();  // of a report
  EXPECT_EQ(spec_of(request, ring)->bytes, 10);
}

TEST(Spec, OfAnAlltoallvHasEqualBlocks) {
  const Spec spec = *spec_of({.operation = Operation::alltoallv, .bytes = 400}, parse_topology("ring:4"));
  EXPECT_EQ(spec.collective, Collective::alltoall);
  EXPECT_EQ(spec.bytes, 100);
}

TEST(Spec, OfABarrierIsOfAWord) {
  const Spec spec = *spec_of({.operation = Operation::barrier, .bytes = 1}, parse_topology("ring:4"));
  EXPECT_EQ(spec.collective, Collective::barrier);
  EXPECT_EQ(spec.bytes, 1);
}

TEST(Spec, OfAReductionHasItsOperator) {
  const Request request{.operation = Operation::allreduce,
                        .bytes = 24,
                        .by = {.element = 12, .operands = Operands::ordered, .user = true, .rounds = true}};
  const Spec spec = *spec_of(request, parse_topology("ring:4"));
  EXPECT_EQ(spec.collective, Collective::allreduce);
  EXPECT_EQ(spec.element, 12);
  EXPECT_EQ(spec.operands, Operands::ordered);
  EXPECT_TRUE(spec.identical);
  EXPECT_FALSE(spec_of({.operation = Operation::allreduce, .bytes = 24}, parse_topology("ring:4"))->identical)
      << "an operator that does not round gives all ranks the same";
}

TEST(Spec, OfBlocksThatDifferIsAReduceScatterWithCounts) {
  Request request{.operation = Operation::reduce_scatter, .bytes = 30, .lengths = {10, 0, 15, 5}};
  const Spec spec = *spec_of(request, parse_topology("ring:4"));
  ASSERT_TRUE(spec.offsets);
  EXPECT_EQ(*spec.offsets, (std::vector<Bytes>{0, 10, 10, 25, 30}));
  EXPECT_EQ(spec.bytes, 15);
  request = {.operation = Operation::reduce_scatter, .bytes = 8, .lengths = {2, 2, 2, 2}};
  EXPECT_FALSE(spec_of(request, parse_topology("ring:4"))->offsets);
}

TEST(Requests, ThatDifferHaveDifferentHashes) {
  const Request request{.operation = Operation::allgatherv, .bytes = 3, .root = 1, .lengths = {1, 2}};
  const Request sum{.operation = Operation::allreduce, .bytes = 3};
  Request wide = sum, rounds = sum;
  wide.by.element = 3;
  rounds.by.rounds = true;
  EXPECT_NE(wide.hash(), sum.hash());
  EXPECT_NE(rounds.hash(), sum.hash());
  Request canonical = rounds;
  canonical.by.canonical = true;
  EXPECT_NE(canonical.hash(), rounds.hash());
  std::vector<Request> others(5, request);
  others[0].operation = Operation::bcast;
  others[1].bytes = 4;
  others[2].root = 2;
  others[3].lengths = {2, 1};
  others[4].lengths = {1, 2, 0};
  for (const Request& other : others) {
    EXPECT_NE(other.hash(), request.hash());
    EXPECT_NE(other, request);
  }
  EXPECT_EQ(Request(request).hash(), request.hash());
}

TEST(SizeClasses, AreBetweenPowersOfTwo) {
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(1), 1);
  EXPECT_EQ(size_class(1023), 10);
  EXPECT_EQ(size_class(1024), 11);
}

}  // namespace
}  // namespace quadrille::dropin
