// Programs that combine: what becomes of a message, in which order, and what waits for it.
#include <gtest/gtest.h>

#include "executed.hpp"
#include "program/program.hpp"

namespace quadrille::uses_test {
namespace {

using namespace testing;

program::Program compiled(const Spec& spec, const Schedule& schedule, Rank rank) {
  return program::Compiler(spec, schedule).compile(rank, true, Bytes{1} << 20);
}

const Spec whole = reduction(Collective::allreduce, "crossbar:4", 64, Operands::commutative, 8);
const Shape one_part{.ranks = 4, .rounds = 4, .in = 1, .out = 1, .tmp = 1, .cut = {.bytes = 64, .unit = 8}};

TEST(Uses, ASendWaitsForAllThatIsCombinedIntoItsSlot) {
  const ByRank schedule(one_part, {{0, 0, takes(3, Buffer::out, {.incoming = right})},
                                   {1, 0, takes(2, Buffer::out, {.incoming = right, .buffer = Buffer::out})},
                                   {1, 0, takes(1, Buffer::out, {.incoming = left, .buffer = Buffer::out})},
                                   {2, 0, sends(1, Buffer::out)},
                                   {3, 0, takes(1, Buffer::out, {.incoming = left, .buffer = Buffer::out})}});
  const program::Program p = compiled(whole, schedule, 0);
  ASSERT_EQ(p.receives.size(), 4U);
  EXPECT_EQ(p.receives[1].peer, 2);  // as listed, though rank 1 comes next after rank 0
  EXPECT_EQ(p.receives[2].peer, 1);
  EXPECT_FALSE(p.receives[1].in_turn);
  EXPECT_TRUE(p.receives[2].in_turn);
  EXPECT_EQ(p.receives[1].after, 1U);
  EXPECT_EQ(p.sends.at(0).after, 2U);
  EXPECT_EQ(p.receives[3].settle, 1U);  // the slot is sent before it is written anew
  EXPECT_EQ(p.steps.at(3).settle, 1U);
  EXPECT_EQ(p.combined, 4 * 64);
}

TEST(Uses, AnOperandIsReadBeforeItsSlotIsWrittenAgain) {
  const ByRank schedule(one_part, {{0, 0, takes(1, Buffer::tmp, {})},
                                   {1, 0, takes(2, Buffer::out, {.incoming = left, .buffer = Buffer::tmp})},
                                   {2, 0, takes(3, Buffer::tmp, {})}});
  const program::Program p = compiled(whole, schedule, 0);
  EXPECT_EQ(p.receives.at(1).after, 1U);
  EXPECT_EQ(p.receives.at(2).after, 2U);
}

TEST(Uses, PartsOfAVectorLieWhereItsBlocksAre) {
  const Spec spec = reduction(Collective::allreduce, "crossbar:4", 28, Operands::commutative, 4);
  const auto offsets = std::make_shared<const std::vector<Bytes>>(std::vector<Bytes>{0, 12, 20, 28});
  const Shape shape{.ranks = 4,
                    .rounds = 1,
                    .in = 3,
                    .out = 3,
                    .tmp = 3,
                    .cut = {.bytes = 12, .packets = 2, .unit = 4},
                    .offsets = offsets};
  const ByRank schedule(
      shape, {{0, 0, takes(1, Buffer::tmp, {.incoming = left, .buffer = Buffer::in, .with = 4}, 4)}});  // piece 1
  const program::Program p = compiled(spec, schedule, 0);
  const program::Use& use = p.uses.at(0);
  const program::Extent& result = p.extents.at(use.result);
  const program::Extent& operand = p.extents.at(use.operand);
  EXPECT_EQ(result, (program::Extent{{Buffer::tmp}, {16}, {}, 4, 1}));
  EXPECT_EQ(operand, (program::Extent{{Buffer::in}, {16}, {}, 4, 1}));
  EXPECT_EQ(p.size[2], 20);
}

TEST(Uses, ARankHoldsItsOwnBlockOfAReduceScatterAlone) {
  const Spec spec = reduction(Collective::reduce_scatter, "crossbar:4", 16, Operands::commutative, 4);
  const Shape shape{.ranks = 4, .rounds = 1, .in = 4, .out = 4, .cut = {.bytes = 16, .unit = 4}};
  const ByRank right_block(shape, {{0, 2, takes(1, Buffer::out, {.incoming = left, .with = 2}, 2)}});
  const program::Program p = compiled(spec, right_block, 2);
  EXPECT_EQ(p.size[1], 16);
  EXPECT_EQ(p.extents.at(p.uses.at(0).result).offset[0], 0);
  EXPECT_EQ(p.extents.at(p.uses.at(0).operand).offset[0], 32);
  const ByRank other_block(shape, {{0, 2, takes(1, Buffer::out, {.incoming = left, .with = 1}, 1)}});
  expect_mentions(error_of([&] { compiled(spec, other_block, 2); }), Error::Kind::internal,
                  {"rank 2", "slot 1 of out", "only 16 there"});
}

TEST(Uses, OwnBytesThatComeAfterThoseOfOthersAreRefused) {
  const ByRank schedule(one_part, {{0, 0, sends(0, Buffer::in)},
                                   {0, 0, takes(1, Buffer::out, {.incoming = right})},
                                   {0, 0, takes(0, Buffer::out, {.incoming = left, .buffer = Buffer::out})}});
  expect_mentions(error_of([&] { compiled(whole, schedule, 0); }), Error::Kind::transport, {"rank 0", "its own bytes"});
}

}  // namespace
}  // namespace quadrille::uses_test
