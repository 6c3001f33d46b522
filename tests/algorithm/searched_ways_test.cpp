// Every collective has an algorithm on every network of ranks and links, whatever ports and wires a machine has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "quadrille/demands.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "sampled.hpp"
#include "sound.hpp"

namespace quadrille::searched_ways_test {
namespace {

class OddNetworks : public ::testing::TestWithParam<std::string> {};

TEST_P(OddNetworks, HaveAProvenAlgorithmForEveryCollective) {
  for (const Ports ports : {Ports::all, Ports::one})
    for (const Duplex duplex : {Duplex::full, Duplex::half, Duplex::node_half})
      for (const Collective c : collectives()) {
        if (!testing::can_request(c, GetParam())) continue;
        const Machine machine = testing::test_machine(ports, duplex, Switching::store_and_forward);
        const Spec spec = testing::request(c, GetParam(), 97);
        SCOPED_TRACE(to_text(spec) + " " + to_text(machine));
        const Plan found = plan(spec, machine);
        EXPECT_TRUE(found.mistakes.empty()) << (found.mistakes.empty() ? "" : found.mistakes.front().why);
        ASSERT_TRUE(found.possible());
        EXPECT_EQ(found.best().assurance.how, Assurance::How::proven);
        EXPECT_GE(found.best().time, found.bound.time * (1 - 1e-9));
      }
}

std::string name_of_network(const ::testing::TestParamInfo<std::string>& network) {
  std::string name = network.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Families, OddNetworks,
                         ::testing::Values("petersen", "kautz:2,2", "circulant:9/1,3", "debruijn:2,3",
                                           "twisted-torus:4x4+2", "dgx1-v100", "full:5", "path:5"),
                         name_of_network);

/// Nothing is faster: the root's links are busy from the first round to the last.
TEST(ScatterWays, AreAtTheLimitWhereTheRootHasLinksEnough) {
  for (const std::string network : {"petersen", "circulant:9/1,3", "twisted-torus:4x4+2"})
    for (const char* const name : {"scatter_ways", "gather_ways"}) {
      const Algorithm& a = find_algorithm(name);
      const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
      const Spec spec = testing::request(a.collective, network, 9600, 1);
      Seconds best = 0;
      for (const Params& params : a.variants(spec, machine)) {
        const Seconds time = seconds(a.cost(spec, machine, params), machine, *spec.topology);
        best = best == 0 ? time : std::min(best, time);
      }
      EXPECT_LE(best, 1.1 * lower_bound(spec, machine).time) << network << ' ' << name;
    }
}

void expect_proven_and_counted(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
  SCOPED_TRACE(testing::command(spec, machine, a, params));
  ASSERT_EQ(a.illegal(spec, machine, params), "");
  const Built built = build(spec, machine, {&a, params});
  testing::expect_proof(spec, machine, built, false);
  EXPECT_EQ(testing::to_text(count(spec, machine, *built.schedule).cost), testing::to_text(built.formula));
  EXPECT_LE(a.least(spec, machine, params), seconds(built.formula, machine, *spec.topology) * (1 + 1e-9));
}

/// Bytes alone. Ranks of a box pass on what is for other boxes, so that every link between boxes works: straight, by
/// routes, exchanges take 1.25, 1.5 and 1.8 times the limit.
TEST(AlltoallWays, PassRanksWhereRoutesThroughSwitchesMeet) {
  Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  machine.alpha = 0, machine.beta = 1e-12, machine.rho = 0, machine.per_hop = 0;
  for (const auto& [network, most] :
       {std::pair("dgx-a100:2:routes=balanced", 1.05), {"dgx-a100:4:routes=balanced", 1.06}, {"mi250:2", 1.12}}) {
    const Spec spec = testing::request(Collective::alltoall, network, 1 << 20);
    SCOPED_TRACE(to_text(spec));
    const Algorithm& ways = find_algorithm("alltoall_ways");
    Seconds best = HUGE_VAL;
    for (const Params& params : ways.variants(spec, machine))
      best = std::min(best, seconds(ways.cost(spec, machine, params), machine, *spec.topology));
    const Seconds limit = lower_bound(spec, machine).time;
    EXPECT_LE(best, most * limit);
    EXPECT_GE(best, limit * (1 - 1e-9));
  }
}

TEST(AlltoallWays, ThroughSwitchesAreProvenAndCounted) {
  int cases = 0;
  for (const Ports ports : {Ports::all, Ports::one})
    for (const std::string network : {"dgx-a100:1", "fattree:4", "torus:4x4@0,1,4,5,10", "star:5", "fattree:4!16-24",
                                      "dragonfly:2,1,1", "torus:4x4@0,1,4,5,10:routes=chosen"})
      for (const char* const name : {"alltoall_ways", "alltoallv_ways"})
        for (const std::int64_t chunks : {1, 3}) {
          const Algorithm& a = find_algorithm(name);
          const Machine machine = testing::test_machine(ports, Duplex::full, Switching::wormhole);
          const Spec spec = testing::request(a.collective, network, 97);
          const Params params{{"chunks", {chunks}}};
          expect_proven_and_counted(spec, machine, a, params);
          ++cases;
        }
  EXPECT_EQ(cases, 56);
}

TEST(AlltoallWays, SayWhereTheyDoNotGoThroughSwitches) {
  const auto refusal = [](const char* name, const std::string& network, Duplex duplex) {
    const Algorithm& a = find_algorithm(name);
    return a.illegal(testing::request(a.collective, network, 97),
                     testing::test_machine(Ports::all, duplex, Switching::wormhole), {});
  };
  EXPECT_NE(refusal("alltoall_ways", "fattree:8", Duplex::full).find("at most 96 ranks"), std::string::npos);
  EXPECT_NE(refusal("alltoall_ways", "fattree:4", Duplex::half).find("duplex=full"), std::string::npos);
  EXPECT_NE(refusal("scatter_ways", "fattree:4", Duplex::full).find("needs links from rank to rank"),
            std::string::npos);
}

TEST(SearchedWays, OfRanksThatTakeTurnsAreProvenOnNetworksOfOtherAlgorithms) {
  for (const std::string network : {"torus:3x4", "mesh:2x3", "ring:5", "mesh:3x3", "hypercube:2"})
    for (const char* const name : {"scatter_ways", "gather_ways", "alltoall_ways", "transpose_ways"})
      for (const Ports ports : {Ports::all, Ports::one})
        for (const Duplex duplex : {Duplex::full, Duplex::half, Duplex::node_half}) {
          const Algorithm& a = find_algorithm(name);
          if (!testing::can_request(a.collective, network)) continue;
          const Machine machine = testing::test_machine(ports, duplex, Switching::store_and_forward);
          const Spec spec = testing::request(a.collective, network, 97);
          if (a.illegal(spec, machine, {}).empty()) expect_proven_and_counted(spec, machine, a, {{"chunks", {3}}});
        }
}

/// By axes, a side that is longer than the others binds, and half of the root's links are idle.
TEST(SearchedWays, OfScattersAndGathersKeepAllLinksOfTheRootBusy) {
  for (const std::string network : {"torus:5x4", "mesh:3x5", "torus:2x3x4", "ring:9"})
    for (const Collective c : {Collective::scatter, Collective::gather})
      for (const Ports ports : {Ports::all, Ports::one})
        for (const Duplex duplex : {Duplex::full, Duplex::half}) {
          const Spec spec = testing::request(c, network, 1 << 20);
          const Plan found = plan(spec, testing::test_machine(ports, duplex, Switching::store_and_forward));
          ASSERT_TRUE(found.possible());
          EXPECT_LE(found.gap(), 1.06) << to_text(spec) << ' ' << to_string(ports) << ' ' << to_string(duplex);
        }
}

TEST(SearchedWays, GoByWayOfOthersThroughStagesOfSwitches) {
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::circuit);
  for (const std::string network : {"omega:2", "omega:4", "fly:2^4", "fly:4^2", "fly:3^2", "bifly:2^3"})
    for (const char* const name : {"transpose_ways", "alltoallv_ways"}) {
      const Algorithm& a = find_algorithm(name);
      const Spec spec = testing::request(a.collective, network, 97);
      for (const std::int64_t chunks : {1, 5}) expect_proven_and_counted(spec, machine, a, {{"chunks", {chunks}}});
    }
  for (const std::string network : {"omega:4", "fly:2^4", "bifly:2^3"}) {
    if (!testing::sampled(network, 2)) continue;
    const Plan found = plan(testing::request(Collective::transpose, network, 1 << 20), machine);
    EXPECT_EQ(found.best().algorithm->name, "transpose_ways") << network;
    EXPECT_LE(found.gap(), 1.2) << network;  // straight: 2.5, 2.5 and 2
  }
  const Algorithm& exchange = find_algorithm("alltoall_ways");
  EXPECT_NE(exchange.illegal(testing::request(Collective::alltoall, "omega:4", 97), machine, {}), "");
}

struct PastRanks {
  const char* network;
  double most, most_half;  ///< times the limit, by bytes alone; over wires of half duplex
};

/// From neighbour to neighbour every rank would need its port for what is others'; exchanges by name take 1.5 to 3.0
/// times the limit, and up to 4.0 of half duplex.
TEST(AlltoallWays, GoPastRanksThatHaveOnePort) {
  for (const auto& [network, most, most_half] : {PastRanks{"mesh:4x4", 1.03, 1.28},
                                                 {"mesh:3x5", 1.06, 1.3},
                                                 {"torus:4x4", 1.06, 1.2},
                                                 {"torus:5x5", 1.03, 1.05},
                                                 {"ring:9", 1.03, 1.51},
                                                 {"petersen", 1.01, 1.01},
                                                 {"hypercube:4", 1.01, 1.01}})
    for (const Duplex duplex : {Duplex::full, Duplex::half}) {
      if (!testing::sampled(fmt::format("{} {}", network, static_cast<int>(duplex)), 3)) continue;
      Machine machine = testing::test_machine(Ports::one, duplex, Switching::wormhole);
      for (const char* const name : {"alltoall_ways", "alltoallv_ways", "transpose_ways"}) {
        const Algorithm& a = find_algorithm(name);
        if (!testing::can_request(a.collective, network)) continue;
        const Spec spec = testing::request(a.collective, network, 97);
        for (const std::int64_t chunks : {1, 3})
          if (a.illegal(spec, machine, {{"chunks", {chunks}}}).empty())
            expect_proven_and_counted(spec, machine, a, {{"chunks", {chunks}}});
      }
      machine.alpha = 0, machine.rho = 0, machine.per_hop = 0;
      const Spec spec = testing::request(Collective::alltoall, network, 1 << 20);
      const Algorithm& ways = find_algorithm("alltoall_ways");
      Seconds best = HUGE_VAL;
      for (const Params& params : ways.variants(spec, machine))
        best = std::min(best, seconds(ways.cost(spec, machine, params), machine, *spec.topology));
      if (best == HUGE_VAL) continue;  // of full duplex on cubes, where straight messages never meet
      const Seconds limit = lower_bound(spec, machine).time;
      EXPECT_LE(best, limit * (duplex == Duplex::full ? most : most_half)) << network;
      EXPECT_GE(best, limit * (1 - 1e-9)) << network;
    }
}

/// A rank with one port takes a round for each chunk that it gets, and so does one behind a switch: plans of short
/// blocks need not look for these rounds to know that they take too long.
TEST(SearchedWays, KnowHowManyRoundsTheyTakeAtLeast) {
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::wormhole);
  for (const auto& [network, name, chunks, rounds] : {std::tuple("torus:8x8", "alltoall_ways", 4, 4 * 63),
                                                      {"ring:64", "alltoall_ways", 1, 512},
                                                      {"mesh:8x8", "alltoall_ways", 1, 73},
                                                      {"star:16", "alltoall_ways", 2, 2 * 15},
                                                      {"torus:8x8", "transpose_ways", 8, 8}}) {
    const Algorithm& a = find_algorithm(name);
    const Spec spec = testing::request(a.collective, network, 97);
    EXPECT_GE(a.least(spec, machine, {{"chunks", {chunks}}}), rounds * machine.alpha) << network << ' ' << name;
  }
}

/// Bytes alone. Straight messages leave most wires idle: they take 3.8 and 6.8 times the limit.
TEST(AlltoallvWays, GoByWayOfOthersWhereWiresJoinAllRanks) {
  Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);
  machine.alpha = 0, machine.rho = 0, machine.per_hop = 0;
  for (const auto& [ranks, most] : {std::pair(24, 1.06), {64, 1.1}}) {
    if (testing::sanitized && ranks > 24) continue;
    Spec spec = testing::request(Collective::alltoallv, "crossbar:" + std::to_string(ranks), 64 << 20);
    spec.demands = parse_demands("random(8)", *spec.topology, spec.bytes);
    SCOPED_TRACE(to_text(spec));
    const Algorithm& ways = find_algorithm("alltoallv_ways");
    const std::vector<Params> variants = ways.variants(spec, machine);
    ASSERT_FALSE(variants.empty());
    expect_proven_and_counted(spec, machine, ways, variants.front());
    const Seconds best = seconds(ways.cost(spec, machine, variants.back()), machine, *spec.topology);
    EXPECT_LE(best, most * lower_bound(spec, machine).time);
  }
}

/// As many as the rank has that sends or receives most.
TEST(AlltoallvPairwise, TakesNoMoreRoundsThanARankHasMessages) {
  const Algorithm& a = find_algorithm("alltoallv_pairwise");
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::circuit);
  for (int seed = 0; seed < 60; ++seed) {
    Spec spec{.collective = Collective::alltoallv,
              .topology = parse_topology("crossbar:" + std::to_string(3 + seed % 20))};
    const Rank others = 1 + seed % (spec.ranks() - 1);
    spec.demands = parse_demands(fmt::format("random({},{})", others, seed), *spec.topology, 10);
    spec = checked(std::move(spec));
    std::size_t most = 0;
    for (Rank r = 0; r < spec.ranks(); ++r) {
      const auto at = static_cast<std::size_t>(r);
      most = std::max({most, spec.demands->sent[at + 1] - spec.demands->sent[at],
                       spec.demands->received[at + 1] - spec.demands->received[at]});
    }
    EXPECT_EQ(a.cost(spec, machine, {}).startups, static_cast<std::int64_t>(most)) << to_text(spec);
  }
}

/// Where all pairs have as much it is a complete exchange: as fast, and with the same limit.
TEST(AlltoallvWays, AreThoseOfACompleteExchangeWhereAllHaveAsMuch) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (const std::string network : {"petersen", "torus:4x4!0-1", "kautz:2,2"}) {
    Spec all{.collective = Collective::alltoallv, .topology = parse_topology(network), .bytes = 960};
    all.demands = parse_demands("all", *all.topology, all.bytes);
    const Spec equal = testing::request(Collective::alltoall, network, 960);
    const Plan uneven = plan(checked(all), machine), even = plan(equal, machine);
    EXPECT_NEAR(uneven.bound.time, even.bound.time, 0.02 * even.bound.time) << network;
    const Algorithm &a = find_algorithm("alltoallv_ways"), &b = find_algorithm("alltoall_ways");
    const Params one{{"chunks", {1}}};
    EXPECT_EQ(a.cost(checked(all), machine, one).startups, b.cost(equal, machine, one).startups) << network;
    EXPECT_EQ(a.cost(checked(all), machine, one).bytes, b.cost(equal, machine, one).bytes) << network;
  }
}

/// One rank has much for another across the ring: half goes each way, while a message that goes straight takes one.
TEST(AlltoallvWays, GoBothWaysRound) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);
  Spec spec{.collective = Collective::alltoallv, .topology = parse_topology("ring:8")};
  spec.demands = parse_demands("0-4:1048576,1-5:65536", *spec.topology, 0);
  const Plan found = plan(checked(spec), machine);
  ASSERT_TRUE(found.possible());
  EXPECT_EQ(found.best().algorithm->name, "alltoallv_ways");
  EXPECT_EQ(found.best().assurance.how, Assurance::How::proven);
  EXPECT_LE(found.gap(), 1.2);
}

}  // namespace
}  // namespace quadrille::searched_ways_test
