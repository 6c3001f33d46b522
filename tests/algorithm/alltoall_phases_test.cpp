// Phases of rings and tori: what they are made of, and how near the limit they come.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "algorithm/alltoall/shared/ring_phases.hpp"
#include "quadrille/price.hpp"
#include "sampled.hpp"
#include "sound.hpp"

namespace quadrille::alltoall_phases_test {
namespace {

constexpr Rank sides[] = {2, 3, 4, 5, 7, 8, 16, 32, 64, 512};

TEST(RingPhases, EachRankSendsToEachInOneClass) {
  for (const Rank side : sides) {
    std::map<std::pair<Rank, Rank>, int> met;
    for (const algorithm::alltoall::RingClass& one : algorithm::alltoall::ring_phases(side).classes)
      for (Rank x = 0; x < side; ++x) {
        const Rank to = one.to[static_cast<std::size_t>(x)];
        if (to < 0) continue;
        EXPECT_EQ(one.from[static_cast<std::size_t>(to)], x);
        ++met[{x, to}];
      }
    EXPECT_EQ(std::ssize(met), side * side) << side;
    for (const auto& [pair, times] : met) EXPECT_EQ(times, 1) << side << ": " << pair.first << " to " << pair.second;
  }
}

/// By the ring's own routes.
TEST(RingPhases, MessagesOfAGroupStayInItAndMeetNowhere) {
  for (const Rank side : sides) {
    if (testing::sanitized && side > 64) continue;
    const TopologyPtr ring = parse_topology("ring:" + std::to_string(side));
    const algorithm::alltoall::RingPhases phases = algorithm::alltoall::ring_phases(side);
    EXPECT_EQ(std::ssize(phases.classes), side < 8 ? side : side + 2);
    for (const algorithm::alltoall::RingClass& one : phases.classes) {
      std::vector<int> members(static_cast<std::size_t>(phases.groups), 0);
      std::set<std::pair<Rank, Link>> crossed;
      std::size_t links = 0;
      for (Rank x = 0; x < side; ++x) {
        const auto at = static_cast<std::size_t>(x);
        ++members.at(static_cast<std::size_t>(one.group[at]));
        if (one.to[at] < 0) continue;
        EXPECT_EQ(one.group[static_cast<std::size_t>(one.to[at])], one.group[at]);
        std::vector<Link> route;
        if (one.to[at] != x) ring->route(x, one.to[at], route);
        EXPECT_LE(std::ssize(route), one.longest);
        for (const Link link : route) crossed.emplace(one.group[at], link);
        links += route.size();
      }
      EXPECT_EQ(crossed.size(), links) << side;
      for (const int count : members) EXPECT_EQ(count, side / phases.groups) << side;
    }
  }
}

TEST(RingPhases, OfOtherSidesAreRefused) {
  for (const Rank side : {1, 6, 9, 12, 24, 1024}) {
    EXPECT_FALSE(algorithm::alltoall::has_ring_phases(side));
    EXPECT_THROW(algorithm::alltoall::ring_phases(side), Error) << side;
  }
}

TEST(AlltoallPhases, AreSoundOnRingsAndTori) {
  const Algorithm& a = find_algorithm("alltoall_phases");
  for (const char* const network :
       {"ring:2", "ring:3", "ring:4", "ring:5", "ring:7", "ring:8", "ring:16", "torus:2x2", "torus:2x2x2", "torus:3x5",
        "torus:4x4", "torus:4x8", "torus:7x2", "torus:8x8", "torus:16x8", "torus:4x4x4"})
    for (const Ports ports : {Ports::one, Ports::all}) {
      const Machine machine = testing::test_machine(ports, Duplex::full, Switching::wormhole);
      testing::expect_sound(testing::request(Collective::alltoall, network, 5), machine, a, {});
    }
}

/// A rank may be a phase ahead of others, and hold links that they wait for.
TEST(AlltoallPhases, AreRefusedForCircuits) {
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::circuit);
  const Spec spec = testing::request(Collective::alltoall, "torus:4x4", 5);
  EXPECT_NE(find_algorithm("alltoall_phases").illegal(spec, machine, {}).find("switching=wormhole"), std::string::npos);
}

/// Bytes alone, one port. All messages half way round go upwards, or it would be 1.
TEST(AlltoallPhases, ComeNearTheLimitHoweverManyRanks) {
  Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::wormhole);
  machine.alpha = 0, machine.rho = 0, machine.per_hop = 0;
  const Algorithm& a = find_algorithm("alltoall_phases");
  for (const auto& [network, most] : {std::pair("torus:4x4x4", 64 / 63.0),
                                      {"torus:5x5", 25 / 24.0},
                                      {"torus:8x8", std::pow(10 / 8.0, 2)},
                                      {"torus:16x16", std::pow(18 / 16.0, 2)},
                                      {"torus:64x64", std::pow(66 / 64.0, 2)},
                                      {"torus:16x16x16", std::pow(18 / 16.0, 3)}}) {
    const Spec spec = testing::request(Collective::alltoall, network, 1 << 10);
    const double over = seconds(a.cost(spec, machine, {}), machine, *spec.topology) / lower_bound(spec, machine).time;
    EXPECT_LE(over, most * (1 + 1e-9)) << network;
    EXPECT_GE(over, 1 - 1e-9) << network;
  }
}

}  // namespace
}  // namespace quadrille::alltoall_phases_test
