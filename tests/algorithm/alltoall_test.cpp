// Complete exchange: every algorithm sound on every small network, and facts about them that were worked out by hand.
#include <fmt/format.h>

#include "sampled.hpp"
#include "sound.hpp"

namespace quadrille::alltoall_test {
namespace {

using testing::cube;
using testing::expect_sound;
using testing::expect_sound_everywhere;
using testing::request;
using testing::sizes;
using testing::test_machine;

TEST(Alltoall, IsSoundOnHypercubes) {
  for (const char* name : {"alltoall_direct", "alltoall_standard", "alltoall_mtadea", "alltoall_mtadea_rotated"})
    for (int n = 1; n <= 6; ++n) EXPECT_GT(expect_sound_everywhere(name, cube(n)), 0) << name;
  for (int n = 1; n <= 5; ++n) EXPECT_GT(expect_sound_everywhere("alltoall_gathers", cube(n)), 0);
  for (int n = 3; n <= 6; ++n) EXPECT_GT(expect_sound_everywhere("alltoall_mce", cube(n)), 0);
}

TEST(Alltoall, IsSoundOnRingsAndCrossbars) {
  for (const int p : sizes) {
    for (const std::string family : {"ring:", "crossbar:"}) {
      const std::string topology = family + std::to_string(p);
      EXPECT_GT(expect_sound_everywhere("alltoall_pairwise", topology), 0) << topology;
      EXPECT_GT(expect_sound_everywhere("alltoall_bruck", topology), 0) << topology;
    }
    for (const char* name : {"alltoall_rotate", "alltoall_bidir"})
      EXPECT_GT(expect_sound_everywhere(name, "ring:" + std::to_string(p)), 0) << name << p;
  }
  for (const int p : {2, 4, 8, 16, 32})
    EXPECT_GT(expect_sound_everywhere("alltoall_mtadea", "crossbar:" + std::to_string(p)), 0);
}

TEST(Bruck, EveryRadixIsSound) {
  const Algorithm& bruck = find_algorithm("alltoall_bruck");
  for (const Machine& machine : {test_machine(Ports::one, Duplex::full, Switching::circuit),
                                 test_machine(Ports::all, Duplex::half, Switching::circuit)})
    for (const std::string family : {"ring:", "crossbar:"})
      for (int p = 2; p <= 28; ++p)
        for (std::int64_t radix = 2; radix <= p; ++radix)
          if (testing::sampled(fmt::format("{}{} {}", family, p, radix)))
            expect_sound(request(Collective::alltoall, family + std::to_string(p), 97), machine, bruck,
                         Params{{"radix", {radix}}}, p <= 17);
}

TEST(SignedDigits, EveryRadixIsSound) {
  const Algorithm& digits = find_algorithm("alltoall_signed");
  for (const Machine& machine : {test_machine(Ports::one, Duplex::full, Switching::circuit),
                                 test_machine(Ports::all, Duplex::full, Switching::wormhole),
                                 test_machine(Ports::all, Duplex::half, Switching::circuit)})
    for (int p = 5; p <= 56; ++p)
      for (std::int64_t radix = 3; radix <= p + 1; radix += 2)
        if (testing::sampled(fmt::format("{} {}", p, radix)))
          expect_sound(request(Collective::alltoall, "ring:" + std::to_string(p), 97), machine, digits,
                       Params{{"radix", {radix}}}, p <= 17);
}

/// Straight ways put P^2/8 blocks on every link, digits of radix r about (r+1)/r times that, Bruck's many more.
TEST(SignedDigits, BlocksGoAboutTheShorterWay) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
  const Spec spec = request(Collective::alltoall, "ring:81", 1);
  const auto bytes = [&](const char* choice) { return build(spec, machine, parse_choice(choice)).formula.bytes; };
  EXPECT_EQ(bytes("alltoall_bidir"), 820);               // 1 + ... + 40
  EXPECT_EQ(bytes("alltoall_signed:radix=3"), 27 * 40);  // 27 blocks over 1 + 3 + 9 + 27 links
  EXPECT_EQ(bytes("alltoall_signed:radix=9"), 9 * 100);  // 9 blocks over (1 + 2 + 3 + 4) * (1 + 9)
  EXPECT_GT(bytes("alltoall_bruck:radix=3"), 2 * 27 * 40);
}

/// Blocks on their way have rows of their own for every digit but the last; there is none for those that have arrived
/// where they would be at an end.
TEST(Digits, ScratchMemoryIsForBlocksOnTheirWay) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  const auto scratch = [&](const char* choice) {
    return build(request(Collective::alltoall, "ring:8", 1), machine, parse_choice(choice)).schedule->shape().tmp;
  };
  EXPECT_EQ(scratch("alltoall_bruck:radix=2"), 3 * 2 + 1 * 4);
  EXPECT_EQ(scratch("alltoall_signed:radix=3"), 3 * 3);
}

/// Six ranks, radix 2: distances 1, 3, 5 move by 1; 2, 3 by 2; 4, 5 by 4. On a ring 4 places on are 2 back.
/// All bundles are packed and unpacked.
TEST(Bruck, SixRanksByHand) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  const auto cost = [&](const char* topology) {
    return build(request(Collective::alltoall, topology, 10), machine, parse_choice("alltoall_bruck:radix=2")).formula;
  };
  EXPECT_EQ(cost("crossbar:6"), (Cost{.startups = 3, .hops = 3, .bytes = 70, .packed = 140}));
  EXPECT_EQ(cost("ring:6"), (Cost{.startups = 3, .hops = 5, .bytes = 30 + 2 * 20 + 2 * 20, .packed = 140}));
}

TEST(Bruck, WithRadixPIsThePairwiseExchange) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  for (const char* topology : {"crossbar:7", "ring:8"}) {
    const Spec spec = request(Collective::alltoall, topology, 5);
    const Choice digits = parse_choice("alltoall_bruck:radix=" + std::to_string(spec.ranks()));
    EXPECT_EQ(build(spec, machine, digits).formula, build(spec, machine, parse_choice("alltoall_pairwise")).formula);
  }
}

/// No radix beats the candidates and the pairwise exchange, also where not all radices are tried.
TEST(Bruck, TheBestRadixIsACandidate) {
  const Algorithm& bruck = find_algorithm("alltoall_bruck");
  const Algorithm& pairwise = find_algorithm("alltoall_pairwise");
  for (const std::string topology :
       {"crossbar:9", "ring:9", "crossbar:27", "ring:50", "crossbar:5003", "ring:5003", "crossbar:8192"})
    for (const double alpha : {0.0, 1.0, 30.0, 1000.0, 1e5}) {
      Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
      machine.alpha = alpha, machine.per_hop = 0.25, machine.beta = 1;
      const Spec spec = request(Collective::alltoall, topology, 3);
      const auto time = [&](const Algorithm& a, const Params& p) {
        return seconds(a.cost(spec, machine, p), machine, *spec.topology);
      };
      Seconds planned = time(pairwise, {}), best = planned;
      for (const Params& params : bruck.variants(spec, machine)) planned = std::min(planned, time(bruck, params));
      for (std::int64_t radix = 2; radix <= spec.ranks(); ++radix)
        best = std::min(best, time(bruck, {{"radix", {radix}}}));
      EXPECT_DOUBLE_EQ(planned, best) << topology << " alpha " << alpha;
    }
}

/// On a ring of five the pairwise exchange crosses 1 + 2 + 2 + 1 links, and that many messages share them.
TEST(Pairwise, RingOfFiveByHand) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  const Spec spec = request(Collective::alltoall, "ring:5", 10);
  const Built built = build(spec, machine, parse_choice("alltoall_pairwise"));
  EXPECT_EQ(built.formula, (Cost{.startups = 4, .hops = 6, .bytes = 60}));
  std::vector<RoundTraffic> rounds;
  count(spec, machine, *built.schedule, &rounds);
  ASSERT_EQ(rounds.size(), 4U);
  EXPECT_EQ(rounds[0].contention, 1);
  EXPECT_EQ(rounds[1].contention, 2);
  EXPECT_FALSE(built.claims.contention_free);
}

/// Half-duplex switch of four: the round in which ranks two apart swap takes two.
TEST(Pairwise, SwappingTakesTwoRoundsOnHalfDuplexWires) {
  const Machine machine = test_machine(Ports::all, Duplex::half, Switching::circuit);
  const Built built =
      build(request(Collective::alltoall, "crossbar:4", 10), machine, parse_choice("alltoall_pairwise"));
  EXPECT_EQ(built.formula, (Cost{.startups = 4, .hops = 4, .bytes = 40}));
  EXPECT_EQ(built.schedule->shape().rounds, 4);
}

TEST(Alltoall, ThousandsOfRanksAreProvenBySymmetry) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
  for (const auto& [algorithm, topology] :
       std::vector<std::pair<const char*, const char*>>{{"alltoall_mtadea", "hypercube:12"},
                                                        {"alltoall_mtadea_rotated", "hypercube:10"},
                                                        {"alltoall_mce:phases=3,4,5", "hypercube:12"},
                                                        {"alltoall_bruck:radix=2", "crossbar:5000"},
                                                        {"alltoall_bruck:radix=10", "crossbar:10001"},
                                                        {"alltoall_bruck:radix=7", "ring:999"},
                                                        {"alltoall_signed:radix=5", "ring:1000"},
                                                        {"alltoall_bidir", "ring:1001"},
                                                        {"alltoall_pairwise", "crossbar:3001"}}) {
    const Spec spec = request(Collective::alltoall, topology, 1000);
    const Built built = build(spec, machine, parse_choice(algorithm));
    const Proof proof = verify(spec, testing::in_turns(machine), *built.schedule, built.claims);
    EXPECT_TRUE(proof.holds && proof.by_symmetry) << algorithm;
    EXPECT_EQ(count(spec, machine, *built.schedule).cost, built.formula) << algorithm;
  }
}

TEST(Alltoall, RefusalsNameAWayOut) {
  const auto reason = [](const char* name, const char* topology, Ports ports, Duplex duplex,
                         const Params& params = {}) {
    return find_algorithm(name).illegal(request(Collective::alltoall, topology, 8),
                                        test_machine(ports, duplex, Switching::store_and_forward), params);
  };
  EXPECT_NE(reason("alltoall_mtadea", "crossbar:6", Ports::one, Duplex::full).find("crossbar:4"), std::string::npos);
  EXPECT_NE(reason("alltoall_mtadea_rotated", "hypercube:3", Ports::one, Duplex::full).find("ports=all"),
            std::string::npos);
  EXPECT_NE(reason("alltoall_direct", "hypercube:3", Ports::one, Duplex::full).find("alltoall_standard"),
            std::string::npos);
  EXPECT_NE(reason("alltoall_pairwise", "ring:6", Ports::one, Duplex::full).find("alltoall_bidir"), std::string::npos);
  EXPECT_NE(reason("alltoall_pairwise", "crossbar:6", Ports::one, Duplex::half).find("duplex=full"), std::string::npos);
  EXPECT_NE(reason("alltoall_pairwise", "hypercube:3", Ports::one, Duplex::full).find("crossbar:8"), std::string::npos);
  EXPECT_NE(reason("alltoall_bruck", "crossbar:8", Ports::one, Duplex::full, {{"radix", {9}}}).find("radix=2"),
            std::string::npos);
  EXPECT_NE(reason("alltoall_signed", "crossbar:8", Ports::one, Duplex::full).find("ring:8"), std::string::npos);
  EXPECT_NE(reason("alltoall_bidir", "ring:7", Ports::one, Duplex::half).find("ring:8"), std::string::npos);
  EXPECT_NE(reason("alltoall_mce", "hypercube:3", Ports::one, Duplex::full, {{"phases", {1, 1}}}).find("phases=1,2"),
            std::string::npos);
}

}  // namespace
}  // namespace quadrille::alltoall_test
