// Fewer rounds: no link or port carries two moves in one of them, and parcels still go the way they went.
#include "flow/fewer_rounds.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "flow/move_places.hpp"

namespace quadrille::flow {
namespace {

/// Every rank sends through a link of its own, and takes through one; arcs of four pairs share a third one.
struct Ports {
  explicit Ports(std::int32_t count) : ranks(count) {
    std::vector<Vertex> hosts;
    std::vector<Arc> arcs;
    for (Vertex a = 0; a < ranks; ++a) hosts.push_back(a);
    for (std::int32_t a = 0; a < ranks; ++a)
      for (std::int32_t b = 0; b < ranks; ++b) {
        if (a == b) continue;
        arcs.push_back({a, b, 1});
        shared.of_arc.push_back({a, ranks + b, 2 * ranks + (a / 2 * ranks + b / 2)});
      }
    shared.capacity.assign(static_cast<std::size_t>(2 * ranks + ranks * ranks), 1);
    network = Network(ranks, hosts, arcs);
  }
  std::int32_t ranks;
  Network network{1, {0}, {}};
  SharedLinks shared;
};

void expect_no_two_on_a_link(const std::vector<Move>& moves, const Ports& ports) {
  std::set<std::pair<std::int32_t, std::int32_t>> taken;
  std::map<std::int32_t, std::int32_t> last;  // round of each parcel
  for (const Move& m : moves) {
    for (const std::int32_t link : ports.shared.of_arc[static_cast<std::size_t>(m.arc)])
      ASSERT_TRUE(taken.insert({m.round, link}).second) << "link " << link << " in round " << m.round;
    const auto [before, first] = last.try_emplace(m.parcel, m.round);
    ASSERT_TRUE(first || before->second < m.round) << "parcel " << m.parcel;
    before->second = m.round;
  }
}

/// Each of four ranks sends to three others, and four pairs share a link.
TEST(FewerRounds, OfAllPairsAreAsManyAsShareALink) {
  const Ports ports(4);
  std::vector<Move> moves;
  for (std::int32_t i = 0; i < std::ssize(ports.network.arcs()); ++i) moves.push_back({i, i, i});
  EXPECT_EQ(in_fewer_rounds(moves, ports.network, LinksOfArcs(ports.network, ports.shared), false, 3), 4);
  expect_no_two_on_a_link(moves, ports);
}

/// Ways of up to three arcs by way of other ranks, each parcel behind the other at first.
TEST(FewerRounds, KeepParcelsInOrderAndGiveThemPlaces) {
  const Ports ports(10);
  const LinksOfArcs links(ports.network, ports.shared);
  ExchangeRounds exchange;
  std::map<std::int32_t, std::int64_t> load;
  for (std::int32_t p = 0; p < 200; ++p) {
    const std::int32_t source = p % 10, by = (p * 7 + 3) % 10, target = (p * 3 + 1 + p / 50) % 10;
    std::vector<std::int32_t> stops{source};
    for (const std::int32_t next : {by, target})
      if (next != stops.back()) stops.push_back(next);
    if (stops.size() < 2 || stops.back() == source) stops = {source, (source + 1) % 10};
    exchange.parcels.push_back({source, stops.back(), p % 3, 1, p % 3});
    for (std::size_t i = 1; i < stops.size(); ++i) {
      const auto arc = static_cast<std::int32_t>(ports.network.find(stops[i - 1], stops[i]));
      exchange.moves.push_back({exchange.rounds++, arc, p});
      links.each(arc, [&](std::size_t link) { ++load[static_cast<std::int32_t>(link)]; });
    }
  }
  std::int64_t busiest = 0;
  for (const auto& [link, moves] : load) busiest = std::max(busiest, moves);
  exchange.rounds = in_fewer_rounds(exchange.moves, ports.network, links, false, busiest);
  EXPECT_GE(exchange.rounds, busiest);
  EXPECT_LE(exchange.rounds, busiest + 2);
  expect_no_two_on_a_link(exchange.moves, ports);

  give_places(exchange, ports.network);
  using Place = std::tuple<Rank, std::int32_t, std::int32_t>;  // rank, pool, place
  std::map<Place, std::int32_t> holds;
  std::vector<std::pair<std::int32_t, Place>> leaves;  // in that round
  for (const Move& m : exchange.moves) {
    std::erase_if(leaves, [&](const auto& left) { return left.first < m.round && holds.erase(left.second) > 0; });
    const Arc& arc = ports.network.arcs()[static_cast<std::size_t>(m.arc)];
    const std::int32_t pool = exchange.parcels[static_cast<std::size_t>(m.parcel)].pool;
    if (m.from_place >= 0) {
      const Place from{static_cast<Rank>(arc.from), pool, m.from_place};
      ASSERT_EQ(holds.at(from), m.parcel);
      leaves.emplace_back(m.round, from);
    }
    if (m.to_place >= 0) {
      ASSERT_TRUE(holds.try_emplace({static_cast<Rank>(arc.to), pool, m.to_place}, m.parcel).second);
      ASSERT_LT(m.to_place, exchange.places);
    }
  }
  std::erase_if(leaves, [&](const auto& left) { return holds.erase(left.second) > 0; });
  EXPECT_TRUE(holds.empty());
}

/// Links alone would let a rank send to several others in a round.
TEST(FewerRounds, TakePortsWhereARankHasOne) {
  std::vector<Arc> arcs;
  for (Vertex b = 1; b < 6; ++b) arcs.push_back({0, b, 1});
  const Network network(6, {0, 1, 2, 3, 4, 5}, arcs);
  const SharedLinks none;
  const LinksOfArcs links(network, none);
  std::vector<Move> moves;
  for (std::int32_t i = 0; i < 5; ++i) moves.push_back({2 * i, i, i});
  std::vector<Move> all = moves;
  EXPECT_EQ(in_fewer_rounds(all, network, links, false, 1), 1);
  EXPECT_EQ(in_fewer_rounds(moves, network, links, true, 1), 5);
}

TEST(FewerRounds, OfNothingAreNone) {
  const Ports ports(2);
  std::vector<Move> none;
  EXPECT_EQ(in_fewer_rounds(none, ports.network, LinksOfArcs(ports.network, ports.shared), false, 0), 0);
}

}  // namespace
}  // namespace quadrille::flow
