// Exchanges in rounds: every chunk arrives, over arcs that carry it, from places that held it.
#include "flow/exchange_ways.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "flow/torus.hpp"

namespace quadrille::flow {
namespace {

/// In a round an arc carries `most` words times its capacity, or a single parcel.
void expect_played(const Network& network, const ExchangeRounds& found, std::int64_t most = 1) {
  std::map<std::int32_t, std::pair<Vertex, std::int32_t>> at;  // and its round
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> used;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> single;
  for (const Move& m : found.moves) {
    const Arc& arc = network.arcs()[static_cast<std::size_t>(m.arc)];
    const Parcel& parcel = found.parcels.at(static_cast<std::size_t>(m.parcel));
    const auto [packet, fresh] = at.try_emplace(m.parcel, std::pair(network.host(parcel.source), std::int32_t{-1}));
    ASSERT_EQ(packet->second.first, arc.from);
    ASSERT_LT(packet->second.second, m.round);
    ASSERT_EQ(m.from_place < 0, fresh);
    ASSERT_EQ(m.to_place < 0, arc.to == network.host(parcel.target));
    ASSERT_LT(m.to_place, found.places);
    const std::pair key(m.round, m.arc);
    used[key] += parcel.words;
    ASSERT_TRUE(++single[key] == 1 || used[key] <= arc.capacity * most);
    packet->second = {arc.to, m.round};
  }
  EXPECT_EQ(at.size(), found.parcels.size());
  for (const auto& [packet, place] : at)
    EXPECT_EQ(place.first, network.host(found.parcels[static_cast<std::size_t>(packet)].target));
}

/// The bound is 64/7 rounds for a chunk of each block, and three chunks need 28.
TEST(ExchangeWays, ReachTheBoundWithAFailedLink) {
  const Network network = torus_network(4, 4, true);
  const ExchangeRounds found = exchange_in_rounds(network, equal_parcels(16, 3));
  EXPECT_EQ(found.parcels.size(), 720U);
  expect_played(network, found);
  EXPECT_LE(found.rounds, 29);
  EXPECT_GE(found.rounds, 28);
}

/// Every chunk crosses a link of its row and one of its column. Links that get none for long make up for it at the end:
/// where those went first that had farthest to go, it took 53 rounds for the 32 of the bound.
TEST(ExchangeWays, LeaveNoLinkIdleForLong) {
  constexpr Vertex side = 8, ranks = side * side;
  std::vector<Vertex> hosts;
  std::vector<Arc> arcs;
  for (Vertex a = 0; a < ranks; ++a) {
    hosts.push_back(a);
    for (Vertex b = 0; b < ranks; ++b)
      if (a != b && (a / side == b / side || a % side == b % side)) arcs.push_back({a, b, 1});
  }
  const Network network(ranks, hosts, arcs);
  const ExchangeRounds found = exchange_in_rounds(network, equal_parcels(ranks, 4));
  expect_played(network, found);
  EXPECT_GE(found.congestion, 32);
  EXPECT_LE(found.rounds, 36);
}

TEST(ExchangeWays, UseWideLinks) {
  const Network path(3, {0, 1, 2}, {{0, 1, 2}, {1, 0, 2}, {1, 2, 2}, {2, 1, 2}});
  const ExchangeRounds found = exchange_in_rounds(path, equal_parcels(3, 1));
  expect_played(path, found);
  EXPECT_EQ(found.rounds, 2);
}

/// A long parcel and three short ones over one link: the short ones go together. Over two ways the long ones part.
TEST(ExchangeWays, LetShortParcelsShareARound) {
  const Network path(2, {0, 1}, {{0, 1, 1}, {1, 0, 1}});
  const ExchangeRounds found =
      exchange_in_rounds(path, {{0, 1, 0, 6}, {0, 1, 1, 2}, {0, 1, 2, 2}, {0, 1, 3, 2}}, {}, 6);
  expect_played(path, found, 6);
  EXPECT_EQ(found.rounds, 2);
  EXPECT_EQ(found.congestion, 2);
  const Network ring(4, {0, 1, 2, 3},
                     {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {1, 0, 1}, {2, 1, 1}, {3, 2, 1}, {0, 3, 1}});
  const ExchangeRounds parted = exchange_in_rounds(ring, {{0, 2, 0, 5}, {0, 2, 1, 5}}, {}, 5);
  expect_played(ring, parted, 5);
  EXPECT_EQ(parted.rounds, 2);
  EXPECT_EQ(parted.congestion, 1);
}

/// Three ranks behind a switch, each with a link to it and one back: of six chunks no link carries more than two, and
/// in a round one each. Arcs 0 to 5 are 0-1, 0-2, 1-0, 1-2, 2-0, 2-1; links 0 to 2 leave ranks, 3 to 5 enter them.
TEST(ExchangeWays, ShareLinksThroughSwitches) {
  const Network star(3, {0, 1, 2}, {{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {1, 2, 1}, {2, 0, 1}, {2, 1, 1}});
  const std::vector<std::vector<std::int32_t>> links{{0, 4}, {0, 5}, {1, 3}, {1, 5}, {2, 3}, {2, 4}};
  const ExchangeRounds alone = exchange_in_rounds(star, equal_parcels(3, 1));
  EXPECT_EQ(alone.rounds, 1);
  for (const std::int32_t chunks : {1, 3}) {
    const ExchangeRounds found = exchange_in_rounds(star, equal_parcels(3, chunks), {}, 1, {{1, 1, 1, 1, 1, 1}, links});
    EXPECT_EQ(found.congestion, 2 * chunks);
    EXPECT_EQ(found.rounds, 2 * chunks);
    std::map<std::pair<std::int32_t, std::int32_t>, int> carried;
    for (const Move& m : found.moves)
      for (const std::int32_t link : links[static_cast<std::size_t>(m.arc)])
        EXPECT_EQ(++carried[std::pair(m.round, link)], 1);
  }
  // Rank 0's link out carries one chunk in a round, and all others two.
  const ExchangeRounds narrow = exchange_in_rounds(star, equal_parcels(3, 2), {}, 1, {{1, 2, 2, 2, 2, 2}, links});
  EXPECT_EQ(narrow.rounds, 4);
}

TEST(ExchangeWays, NeedHostsAlone) {
  EXPECT_THROW(exchange_in_rounds(Network(3, {0, 2}, {{0, 1, 1}, {1, 2, 1}, {2, 1, 1}, {1, 0, 1}}), {}), Error);
}

}  // namespace
}  // namespace quadrille::flow
