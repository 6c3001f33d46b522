// Rounds that are searched for: every rank gets every chunk once, from whom has it, and no link or port has too much.
#include "flow/rarest_first.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace quadrille::flow {
namespace {

void join(Spreading& s, std::int32_t a, std::int32_t b, std::int32_t chunks = 1) {
  std::int32_t wire = 0;
  for (const Channel& c : s.channels) wire = std::max(wire, c.wire + 1);
  s.channels.push_back({a, b, chunks, wire});
  s.channels.push_back({b, a, chunks, wire});
}

Spreading torus(std::int32_t rows, std::int32_t cols) {
  Spreading s{.ranks = rows * cols, .channels = {}};
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t c = 0; c < cols; ++c) {
      join(s, r * cols + c, r * cols + (c + 1) % cols);
      join(s, r * cols + c, (r + 1) % rows * cols + c);
    }
  return s;
}

void give_each(Spreading& s, int chunks) {
  s.owners.clear();
  for (int i = 0; i < chunks; ++i)
    for (Rank r = 0; r < s.ranks; ++r) s.owners.push_back(r);
}

/// Plays the rounds with sets of what ranks have.
void expect_played(const Spreading& s, const RoundPlan& plan) {
  std::vector<std::set<std::int32_t>> has(static_cast<std::size_t>(s.ranks));
  for (std::size_t c = 0; c < s.owners.size(); ++c)
    has[static_cast<std::size_t>(s.owners[c])].insert(static_cast<std::int32_t>(c));
  std::size_t next = 0;
  for (std::int32_t round = 0; round < plan.rounds; ++round) {
    const auto before = has;
    std::map<std::int32_t, std::int32_t> on_channel;
    std::map<std::int32_t, std::set<std::int32_t>> to, from, ways;
    for (; next < plan.arrivals.size() && plan.arrivals[next].round == round; ++next) {
      const Arrival& a = plan.arrivals[next];
      const Channel& c = s.channels[static_cast<std::size_t>(a.channel)];
      ASSERT_TRUE(before[static_cast<std::size_t>(c.from)].contains(a.chunk)) << "round " << round;
      ASSERT_TRUE(has[static_cast<std::size_t>(c.to)].insert(a.chunk).second) << "round " << round;
      ASSERT_LE(++on_channel[a.channel], c.chunks);
      to[c.from].insert(c.to), from[c.to].insert(c.from), ways[c.wire].insert(a.channel);
    }
    for (const auto& [rank, peers] : to) {
      ASSERT_TRUE(!s.one_port || peers.size() == 1);
      ASSERT_TRUE(!s.one_task || !from.contains(rank));
    }
    for (const auto& [rank, peers] : from) ASSERT_TRUE(!s.one_port || peers.size() == 1);
    for (const auto& [wire, used] : ways) ASSERT_TRUE(!s.one_way || used.size() == 1);
    ASSERT_FALSE(on_channel.empty()) << "nothing happens in round " << round;
  }
  EXPECT_EQ(next, plan.arrivals.size());
  for (const auto& chunks : has) EXPECT_EQ(chunks.size(), s.owners.size());
}

TEST(RarestFirst, ReachesTheLeastRoundsOnTori) {
  for (const auto& [rows, cols, chunks] : {std::array{4, 4, 4}, {8, 8, 1}, {16, 16, 1}, {3, 5, 2}}) {
    Spreading s = torus(rows, cols);
    give_each(s, chunks);
    const RoundPlan plan = rarest_first(s);
    expect_played(s, plan);
    EXPECT_EQ(plan.rounds, (chunks * (rows * cols - 1) + 3) / 4);
    EXPECT_EQ(plan.rounds, least_rounds(s));
  }
}

TEST(RarestFirst, UsesHalfDuplexWiresAllTheTime) {
  Spreading s = torus(8, 8);
  give_each(s, 1);
  s.one_way = true;
  const RoundPlan plan = rarest_first(s);
  expect_played(s, plan);
  EXPECT_EQ(plan.rounds, 32);  // 64 * 63 crossings over 128 wires are 31.5
}

/// A part a round over each of the root's links, and the last parts go all the way.
TEST(RarestFirst, BroadcastsInAsManyRoundsAsTheRootSendsAndTheLastPartTravels) {
  Spreading s = torus(4, 4);
  s.owners.assign(64, 5);
  const RoundPlan plan = rarest_first(s);
  expect_played(s, plan);
  EXPECT_EQ(plan.rounds, 64 / 4 + 4);
}

TEST(RarestFirst, IsPlayableOnRandomNetworksUnderEveryLimit) {
  std::mt19937 random(7);
  const auto below = [&](std::int32_t n) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(n));
  };
  for (int i = 0; i < 200; ++i) {
    const std::int32_t ranks = 2 + below(9);
    Spreading s{.ranks = ranks, .channels = {}};
    for (std::int32_t r = 0; r + 1 < ranks; ++r) join(s, r, r + 1, 1 + below(3));
    for (std::int32_t more = below(2 * ranks); more > 0; --more) {
      const std::int32_t a = below(ranks), b = below(ranks);
      if (std::abs(a - b) > 1) join(s, a, b, 1 + below(3));
    }
    for (std::int32_t chunks = 1 + below(30); chunks > 0; --chunks) s.owners.push_back(below(ranks));
    s.one_port = below(2) == 0, s.one_way = below(2) == 0, s.one_task = below(2) == 0;
    const RoundPlan plan = rarest_first(s);
    expect_played(s, plan);
    EXPECT_LE(least_rounds(s), plan.rounds);
    EXPECT_EQ(rarest_first(s).arrivals, plan.arrivals);
    if (HasFailure()) return;
  }
}

TEST(RarestFirst, SaysThatARankCannotBeReached) {
  Spreading s{.ranks = 3, .channels = {}, .owners = {0}};
  join(s, 0, 1);
  EXPECT_THROW(rarest_first(s), Error);
}

}  // namespace
}  // namespace quadrille::flow
