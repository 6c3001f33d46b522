// Exchanges in rounds: every chunk arrives, over arcs that carry it, from places that held it.
#include "flow/exchange_ways.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "flow/torus.hpp"

namespace quadrille::flow {
namespace {

void expect_played(const Network& network, const ExchangeRounds& found, std::int32_t chunks) {
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::pair<Vertex, std::int32_t>> at;  // and its round
  std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> used;
  for (const Move& m : found.moves) {
    const Arc& arc = network.arcs()[static_cast<std::size_t>(m.arc)];
    const auto [packet, fresh] =
        at.try_emplace({m.source, m.target, m.chunk}, std::pair(network.host(m.source), std::int32_t{-1}));
    ASSERT_EQ(packet->second.first, arc.from);
    ASSERT_LT(packet->second.second, m.round);
    ASSERT_EQ(m.from_place < 0, fresh);
    ASSERT_EQ(m.to_place < 0, arc.to == network.host(m.target));
    ASSERT_LT(m.to_place, found.places);
    ASSERT_LE(++used[std::pair(m.round, m.arc)], arc.capacity);
    packet->second = {arc.to, m.round};
  }
  EXPECT_EQ(std::ssize(at), network.ranks() * (network.ranks() - 1) * chunks);
  for (const auto& [packet, place] : at) EXPECT_EQ(place.first, network.host(std::get<1>(packet)));
}

/// The bound is 64/7 rounds for a chunk of each block, and three chunks need 28.
TEST(ExchangeWays, ReachTheBoundWithAFailedLink) {
  const Network network = torus_network(4, 4, true);
  const ExchangeRounds found = exchange_in_rounds(network, 3);
  expect_played(network, found, 3);
  EXPECT_LE(found.rounds, 29);
  EXPECT_GE(found.rounds, 28);
}

TEST(ExchangeWays, UseWideLinks) {
  const Network path(3, {0, 1, 2}, {{0, 1, 2}, {1, 0, 2}, {1, 2, 2}, {2, 1, 2}});
  const ExchangeRounds found = exchange_in_rounds(path, 1);
  expect_played(path, found, 1);
  EXPECT_EQ(found.rounds, 2);
}

TEST(ExchangeWays, NeedHostsAlone) {
  EXPECT_THROW(exchange_in_rounds(Network(3, {0, 2}, {{0, 1, 1}, {1, 2, 1}, {2, 1, 1}, {1, 0, 1}}), 1), Error);
}

}  // namespace
}  // namespace quadrille::flow
