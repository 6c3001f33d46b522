// When links and ranks are busy: the same answers as from a set of rounds, near to one another and far apart.
#include "schedule/timetable.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace quadrille::schedule {
namespace {

bool is_busy(const Busy& busy, Round t) {
  return (busy.rounds_of(t / Busy::rounds_of_word) >> (t % Busy::rounds_of_word) & 1) != 0;
}

TEST(Busy, RemembersEveryRoundWhereverItIs) {
  std::mt19937_64 random(7);
  for (const Round longest : {Round{100}, Round{5000}, Round{100000}, Round{1} << 40})
    for (const int marks : {1, 3, 60, 900}) {
      Busy busy;
      std::set<Round> expected;
      for (int i = 0; i < marks; ++i) {
        const Round t = static_cast<Round>(random() % static_cast<std::uint64_t>(longest));
        busy.mark(t), expected.insert(t);
      }
      for (const Round t : expected) {
        for (const Round near : {t - 64, t - 1, t, t + 1, t + 64})
          ASSERT_EQ(near >= 0 && is_busy(busy, near), expected.contains(near)) << near << " of " << longest;
      }
    }
}

TEST(Busy, KnowsTheWordsInWhichNoRoundIsFree) {
  Busy busy;
  for (Round t = 3 * Busy::rounds_of_word; --t >= 0;) {
    EXPECT_EQ(busy.full(), 0) << t;
    busy.mark(t);
  }
  EXPECT_EQ(busy.full(), 3);
  busy.mark(Round{1} << 40);
  EXPECT_EQ(busy.full(), 3);
}

/// All messages of a bus are on its one link: each goes in the next round.
TEST(Timetable, TakesTheFirstFreeRound) {
  const TopologyPtr bus = parse_topology("bus:40000");
  Timetable table(*bus, {.free_links = true, .one_port = true});
  for (Rank r = 0; r + 1 < bus->ranks(); ++r) {
    const std::vector<Hop> way = table.way(r, r + 1);
    ASSERT_EQ(way.size(), 1U);
    ASSERT_EQ(table.take(way.front(), 0), r);
  }
}

}  // namespace
}  // namespace quadrille::schedule
