// Ways of an exchange by shares: they lead from source to target, and no link carries much more than in the optimum.
#include "flow/exchange_flow.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "flow/exchange_optimum.hpp"
#include "flow/torus.hpp"

namespace quadrille::flow {
namespace {

std::vector<FlowDemand> all_pairs(const Network& network, std::int32_t parts) {
  std::vector<FlowDemand> demands;
  for (std::int32_t from = 0; from < network.ranks(); ++from)
    for (std::int32_t to = 0; to < network.ranks(); ++to)
      if (from != to) demands.push_back({from, to, 1, parts});
  return demands;
}

void expect_led(const Network& network, const std::vector<FlowDemand>& demands, const std::vector<FlowWay>& ways) {
  std::map<std::int32_t, std::int32_t> found;
  for (const FlowWay& way : ways) {
    const FlowDemand& demand = demands.at(static_cast<std::size_t>(way.demand));
    Vertex here = network.host(demand.source);
    for (const std::int32_t arc : way.arcs) {
      ASSERT_EQ(network.arcs().at(static_cast<std::size_t>(arc)).from, here);
      here = network.arcs()[static_cast<std::size_t>(arc)].to;
    }
    ASSERT_EQ(here, network.host(demand.target));
    ASSERT_GE(way.parts, 1);
    found[way.demand] += way.parts;
  }
  ASSERT_EQ(found.size(), demands.size());
  for (const auto& [demand, count] : found) ASSERT_EQ(count, demands[static_cast<std::size_t>(demand)].parts);
}

/// A random tree with as many links again, of capacities 1 to 150; the last vertices are switches.
Network random_network(std::uint32_t seed, Vertex hosts, Vertex switches) {
  std::mt19937 random(seed);
  const Vertex all = hosts + switches;
  std::map<std::pair<Vertex, Vertex>, std::int64_t> links;
  for (Vertex v = 1; v < all; ++v)
    links[{static_cast<Vertex>(random() % static_cast<std::uint32_t>(v)), v}] = 1 + random() % 150;
  for (Vertex i = 0; i < all; ++i) {
    const Vertex a = random() % static_cast<std::uint32_t>(all), b = random() % static_cast<std::uint32_t>(all);
    if (a != b && links.count({b, a}) == 0) links[{a, b}] = 1 + random() % 150;
  }
  std::vector<Arc> arcs;
  for (const auto& [ends, capacity] : links) {
    arcs.push_back({ends.first, ends.second, capacity});
    arcs.push_back({ends.second, ends.first, capacity});
  }
  std::vector<Vertex> ranks;
  for (Vertex v = 0; v < hosts; ++v) ranks.push_back(v);
  return {all, std::move(ranks), std::move(arcs)};
}

TEST(ExchangeFlow, OfSmallNetworksIsTheOptimumButForWholeParts) {
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const Network network = random_network(seed, 3 + seed % 9, seed % 4);
    const std::vector<FlowDemand> demands = all_pairs(network, 512);
    const std::vector<FlowWay> ways = exchange_flow(network, demands);
    expect_led(network, demands, ways);
    const double limit = exchange_within(network, {.gap = 1e-6}).lower.value(),
                 share = busiest_share(network, demands, ways);
    EXPECT_GE(share, limit * (1 - 1e-9));
    EXPECT_LE(share, limit * 1.03);
  }
}

/// What one rank has for another may be more than what others have.
TEST(ExchangeFlow, FollowsWhatRanksHave) {
  const Network network = random_network(7, 8, 3);
  std::vector<FlowDemand> demands;
  for (const FlowDemand& d : all_pairs(network, 256))  // parts of a word or two, or of fewer
    if ((d.source + d.target) % 3 != 0)
      demands.push_back({d.source, d.target, 1 + 40 * d.source, d.source % 2 == 0 ? d.parts : 1 + 40 * d.source});
  const std::vector<FlowWay> ways = exchange_flow(network, demands);
  expect_led(network, demands, ways);
  Wants wants{std::vector<std::int64_t>(64, 0)};
  for (const FlowDemand& d : demands) wants.words[static_cast<std::size_t>(8 * d.source + d.target)] = d.words;
  EXPECT_LE(busiest_share(network, demands, ways), exchange_within(network, {.gap = 1e-6}, wants).lower.value() * 1.03);
}

/// Too large for the program: ways are searched for.
TEST(ExchangeFlow, OfLargerNetworksIsSearchedFor) {
  const Network network = torus_network(12, 12, false);
  ASSERT_FALSE(small_enough_for_optimum(network));
  const std::vector<FlowDemand> demands = all_pairs(network, 2);
  const std::vector<FlowWay> ways = exchange_flow(network, demands);
  expect_led(network, demands, ways);
  EXPECT_LE(busiest_share(network, demands, ways), 1.05 * 12 * 12 * 12 / 8);  // 216 blocks over every link
}

/// Two routes of three share a link, which carries both.
TEST(ExchangeFlow, CountsLinksThatArcsShare) {
  const Network network(3, {0, 1, 2}, {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 1, 1}, {1, 0, 1}, {2, 0, 1}});
  SharedLinks shared{{1, 1, 1, 1, 1}, std::vector<std::vector<std::int32_t>>(6)};
  for (std::size_t arc = 0; arc < 6; ++arc) {
    const Arc& a = network.arcs()[arc];
    shared.of_arc[arc] = {a.from == 0   ? 0
                          : a.from == 1 ? static_cast<std::int32_t>(1 + a.to / 2)
                                        : static_cast<std::int32_t>(3 + a.to)};
  }
  const std::vector<FlowDemand> demands{{0, 1, 1, 4}, {0, 2, 1, 4}};
  const std::vector<FlowWay> ways = exchange_flow(network, demands, shared);
  expect_led(network, demands, ways);
  EXPECT_DOUBLE_EQ(busiest_share(network, demands, ways, shared), 2);
}

}  // namespace
}  // namespace quadrille::flow
