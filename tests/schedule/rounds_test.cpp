// A list of handovers as a schedule: what it lists for whom, and when ranks are active.
#include "schedule/rounds.hpp"

#include <gtest/gtest.h>

namespace quadrille::schedule {
namespace {

const Shape shape{.ranks = 4, .out = 4, .cut = {.bytes = 10, .parts = 2}};

TEST(Handovers, AreListedAtBothEndsInOneOrder) {
  const SchedulePtr made = of_handovers(shape, {{2, 1, 2, 5}, {0, 0, 1, 4}, {0, 0, 1, 0}, {2, 1, 2, 0}, {2, 1, 2, 4}});
  EXPECT_EQ(made->shape().rounds, 3);
  Collected at;
  const std::vector<Transfer> sent = at.all(*made, 2, 1);
  const std::vector<Transfer> expected{{Kind::send, Buffer::out, 2, contiguous(0, 1), {}},
                                       {Kind::send, Buffer::out, 2, contiguous(4, 2), {}}};
  EXPECT_EQ(sent, expected);
  std::vector<Transfer> taken = at.all(*made, 2, 2);
  ASSERT_EQ(taken.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(taken[i].kind, Kind::recv);
    EXPECT_EQ(taken[i].peer, 1);
    EXPECT_EQ(taken[i].slots, sent[i].slots);
  }
  EXPECT_TRUE(at.all(*made, 1, 1).empty());
}

/// Slots 3 and 4 are the last block's first piece, and the first block's second.
TEST(Handovers, DoNotJoinPieces) {
  const SchedulePtr made = of_handovers(shape, {{0, 0, 1, 3}, {0, 0, 1, 4}});
  Collected at;
  EXPECT_EQ(at.all(*made, 0, 0).size(), 2U);
}

TEST(Handovers, SayWhenARankIsActive) {
  const SchedulePtr made = of_handovers(shape, {{1, 0, 1, 0}, {3, 1, 2, 0}});
  EXPECT_EQ(made->active(0), (Schedule::Rounds{1, 2}));
  EXPECT_EQ(made->active(1), (Schedule::Rounds{1, 4}));
  EXPECT_EQ(made->active(2), (Schedule::Rounds{3, 4}));
  EXPECT_EQ(made->active(3), (Schedule::Rounds{0, 0}));
}

TEST(Handovers, MayBeNone) {
  const SchedulePtr made = of_handovers(shape, {});
  EXPECT_EQ(made->shape().rounds, 0);
  Collected at;
  EXPECT_TRUE(at.all(*made, 0, 3).empty());
}

}  // namespace
}  // namespace quadrille::schedule
