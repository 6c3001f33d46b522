// Fewest rounds of exchanges on shared links: counted by hand where networks are small, and never above what is found.
#include "flow/exchange_bound.hpp"

#include <gtest/gtest.h>

#include <random>

namespace quadrille::flow {
namespace {

/// All pairs joined, as if by routes.
Network all_joined(std::int32_t ranks) {
  std::vector<Vertex> hosts;
  std::vector<Arc> arcs;
  for (Vertex a = 0; a < ranks; ++a) {
    hosts.push_back(a);
    for (Vertex b = 0; b < ranks; ++b)
      if (a != b) arcs.push_back({a, b, 1});
  }
  return {ranks, hosts, arcs};
}

/// On a ring, the shorter way round: link 2 * i goes on from rank i, and 2 * i + 1 back from it. With ports, links
/// behind them: two of each rank.
SharedLinks round_a_ring(const Network& network, bool ports) {
  const auto ranks = static_cast<std::int32_t>(network.ranks());
  SharedLinks shared{std::vector<std::int64_t>(static_cast<std::size_t>(ports ? 4 * ranks : 2 * ranks), 1), {}};
  for (const Arc& arc : network.arcs()) {
    const auto from = static_cast<std::int32_t>(arc.from), to = static_cast<std::int32_t>(arc.to);
    const std::int32_t on = (to - from + ranks) % ranks;
    std::vector<std::int32_t> links;
    for (std::int32_t at = from; at != to; at = on <= ranks / 2 ? (at + 1) % ranks : (at + ranks - 1) % ranks)
      links.push_back(2 * at + (on <= ranks / 2 ? 0 : 1));
    if (ports) links.insert(links.end(), {2 * ranks + from, 3 * ranks + to});
    shared.of_arc.push_back(std::move(links));
  }
  return shared;
}

/// Seven others of each rank are 16 links away together.
TEST(ExchangeBound, CountsLinksThatWordsCross) {
  const Network network = all_joined(8);
  EXPECT_EQ(least_rounds(network, round_a_ring(network, false), equal_parcels(8, 1)), Ratio(8));
  EXPECT_EQ(least_rounds(network, round_a_ring(network, false), equal_parcels(8, 3)), Ratio(24));
  EXPECT_EQ(least_rounds(network, round_a_ring(network, true), equal_parcels(8, 1)), Ratio(8));
  EXPECT_EQ(least_rounds(network, round_a_ring(network, true), {}), Ratio(0));
}

/// Of four ranks each sends to three over its port, and on a ring eight links are crossed twice.
TEST(ExchangeBound, CountsWhatPassesPorts) {
  const Network network = all_joined(4);
  const SharedLinks ports = round_a_ring(network, true);
  EXPECT_EQ(least_rounds(network, ports, equal_parcels(4, 1)), Ratio(3));
  const std::vector<Parcel> to_one{{0, 3, 0, 5}, {1, 3, 0, 6}, {2, 3, 0, 7}};
  EXPECT_EQ(least_rounds(network, ports, to_one), Ratio(18));
  SharedLinks wide = ports;
  wide.capacity[3 * 4 + 3] = 4;
  EXPECT_EQ(least_rounds(network, wide, to_one), Ratio(7));  // rank 2's port
}

/// Ranks of one port for both directions.
TEST(ExchangeBound, AddsWhatAPortSendsAndReceives) {
  const Network network = all_joined(5);
  SharedLinks shared{std::vector<std::int64_t>(5, 1), {}};
  for (const Arc& arc : network.arcs())
    shared.of_arc.push_back({static_cast<std::int32_t>(arc.from), static_cast<std::int32_t>(arc.to)});
  EXPECT_EQ(least_rounds(network, shared, equal_parcels(5, 1)), Ratio(8));
}

/// Long ways are not taken where two short ones cross fewer links.
TEST(ExchangeBound, TakesWaysByOthersWhereTheyAreShorter) {
  const Network network = all_joined(3);  // arcs 0-1, 0-2, 1-0, 1-2, 2-0, 2-1
  SharedLinks shared{std::vector<std::int64_t>(9, 1), {{0}, {6, 7, 8}, {1}, {2}, {3}, {4}}};
  shared.of_arc[1].push_back(5);
  const std::vector<Parcel> one{{0, 2, 0, 9}};
  EXPECT_EQ(least_rounds(network, shared, one), Ratio(2));  // 0-1-2 crosses 2 links of 9
}

TEST(ExchangeBound, IsNotAboveWhatIsFound) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const auto ranks = static_cast<std::int32_t>(2 + random() % 6), links = static_cast<std::int32_t>(1 + random() % 9);
    const Network network = all_joined(ranks);
    SharedLinks shared;
    for (std::int32_t link = 0; link < links; ++link) shared.capacity.push_back(1 + random() % 3);
    for (std::size_t arc = 0; arc < network.arcs().size(); ++arc) {
      std::vector<std::int32_t> route;
      for (std::int32_t link = 0; link < links; ++link)
        if (random() % 3 == 0) route.push_back(link);
      if (route.empty()) route.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(links)));
      shared.of_arc.push_back(route);
    }
    const std::vector<Parcel> parcels = equal_parcels(ranks, static_cast<std::int32_t>(1 + random() % 3));
    const Ratio least = least_rounds(network, shared, parcels);
    EXPECT_GT(least, Ratio(0)) << i;
    EXPECT_LE(least, Ratio(exchange_in_rounds(network, parcels, {}, 1, shared).rounds)) << i;
  }
}

}  // namespace
}  // namespace quadrille::flow
