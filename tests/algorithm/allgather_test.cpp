// All-gather: every algorithm sound on every small network, and facts about them that were worked out by hand.
#include <numeric>
#include <set>

#include "algorithm/allgather/shared/link_spread.hpp"
#include "algorithm/allgather/shared/necklace.hpp"
#include "algorithm/allgather/shared/tea.hpp"
#include "sampled.hpp"
#include "sound.hpp"

namespace quadrille::allgather_test {
namespace {

using testing::cube;
using testing::expect_sound_everywhere;
using testing::request;
using testing::sizes;
using testing::test_machine;

TEST(Allgather, IsSoundOnHypercubes) {
  for (const char* name : {"allgather_adea", "allgather_adea_rotated", "allgather_daisy", "allgather_sequential"})
    for (int n = 1; n <= 6; ++n) EXPECT_GT(expect_sound_everywhere(name, cube(n)), 0) << name;
  for (const char* name : {"allgather_tea1", "allgather_tea2", "allgather_tea1_grouped", "allgather_tea2_grouped"})
    for (int n = 1; n <= 7; ++n) EXPECT_GT(expect_sound_everywhere(name, cube(n)), 0) << name;
}

TEST(Allgather, IsSoundOnRingsAndCrossbars) {
  for (const int p : sizes)
    for (const std::string family : {"ring:", "crossbar:"}) {
      EXPECT_GT(expect_sound_everywhere("allgather_daisy", family + std::to_string(p)), 0);
      EXPECT_GT(expect_sound_everywhere("allgather_sequential", family + std::to_string(p)), 0);
    }
  for (const int p : sizes)
    EXPECT_GT(expect_sound_everywhere("allgather_doubling", "crossbar:" + std::to_string(p)), 0);
}

TEST(Necklaces, OfFourAndSixBits) {
  std::vector<std::pair<std::int64_t, int>> found;
  algorithm::allgather::each_necklace(4, [&](std::int64_t word, int period) { found.emplace_back(word, period); });
  EXPECT_EQ(found, (std::vector<std::pair<std::int64_t, int>>{{1, 4}, {3, 4}, {5, 2}, {7, 4}, {15, 1}}));
  std::int64_t words = 0;  // the members of all classes are all words but 0
  algorithm::allgather::each_necklace(6, [&](std::int64_t, int period) { words += period; });
  EXPECT_EQ(words, 63);
}

TEST(Necklaces, AreAsManyAsBurnsideCounts) {
  for (int n = 1; n <= 18; ++n) {
    std::int64_t sum = 0, found = 0, members = 0;  // turns by i leave 2^gcd(n, i) words as they are
    for (int i = 1; i <= n; ++i) sum += base::bit(std::gcd(n, i));
    algorithm::allgather::each_necklace(n, [&](std::int64_t, int period) { ++found, members += period; });
    EXPECT_EQ(found, sum / n - 1) << n;
    EXPECT_EQ(members, base::bit(n) - 1) << n;
  }
}

/// Distance 3 on the 5-cube has the classes of 00111 and 01011, which the dimensions get turned by 0, 1, ..., 4. On the
/// 4-cube 0101 and 1111 repeat: 0101 goes over the lowest of dimensions 0 and 2, 1010 over 1, and 1111 over 0.
TEST(Spread, ByHand) {
  std::vector<std::uint32_t> z;
  algorithm::allgather::Spread five(5, {{3, 3}});
  five.members(0, 0, z);
  EXPECT_EQ(z, (std::vector<std::uint32_t>{0b00111, 0b01011}));
  five.members(0, 4, z);
  EXPECT_EQ(z, (std::vector<std::uint32_t>{0b10011, 0b10101}));
  algorithm::allgather::Spread four(4, {{2, 2}, {4, 4}});
  const std::vector<std::vector<std::uint32_t>> pairs{{0b0011, 0b0101}, {0b0110, 0b1010}, {0b1100}, {0b1001}};
  for (int j = 0; j < 4; ++j) {
    four.members(0, j, z);
    EXPECT_EQ(z, pairs[static_cast<std::size_t>(j)]) << j;
    four.members(1, j, z);
    EXPECT_EQ(z, j == 0 ? std::vector<std::uint32_t>{0b1111} : std::vector<std::uint32_t>{}) << j;
  }
}

/// Each block over one link, which is one of its own, and no link above the mean rounded up; grouped steps likewise.
TEST(Spread, PartitionsEvenly) {
  for (const algorithm::allgather::TeaSteps steps :
       {algorithm::allgather::TeaSteps::plain, algorithm::allgather::TeaSteps::grouped})
    for (int n = 1; n <= 16; ++n) {
      std::vector<algorithm::allgather::Spread::Weights> weights;
      for (Round t = 0; t < algorithm::allgather::tea_rounds(n, steps); ++t)
        weights.push_back(algorithm::allgather::tea_weights(n, steps, t));
      const algorithm::allgather::Spread spread(n, weights);
      for (std::size_t t = 0; t < weights.size(); ++t) {
        std::vector<char> seen(static_cast<std::size_t>(base::bit(n)), 0);
        std::int64_t total = 0, most = 0;
        for (int j = 0; j < n; ++j) {
          std::vector<std::uint32_t> z;
          spread.members(t, j, z);
          most = std::max(most, std::ssize(z));
          total += std::ssize(z);
          for (const std::uint32_t one : z) {
            ASSERT_TRUE(one >> j & 1U);
            ASSERT_FALSE(seen[one]++);
            ASSERT_TRUE(base::popcount(one) >= weights[t].low && base::popcount(one) <= weights[t].high);
          }
        }
        std::int64_t expected = base::binomial(n, weights[t].high);
        if (weights[t].low < weights[t].high) expected += base::binomial(n, weights[t].low);
        EXPECT_EQ(total, expected);
        EXPECT_EQ(most, base::ceil_div(expected, n)) << n << " step " << t;
      }
    }
}

std::vector<Bytes> loads(const std::string& algorithm, int n) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const Spec spec = request(Collective::allgather, cube(n), 1);
  const Built built = build(spec, machine, parse_choice(algorithm));
  std::vector<RoundTraffic> rounds;
  count(spec, machine, *built.schedule, &rounds);
  std::vector<Bytes> all;
  for (const RoundTraffic& round : rounds) all.push_back(round.largest);
  return all;
}

TEST(TotalExchange, LoadsByDistance) {
  EXPECT_EQ(loads("allgather_tea2", 5), (std::vector<Bytes>{1, 2, 2, 1, 1}));
  EXPECT_EQ(loads("allgather_tea2", 6), (std::vector<Bytes>{1, 3, 4, 3, 1, 1}));
  EXPECT_EQ(loads("allgather_tea2", 9), (std::vector<Bytes>{1, 4, 10, 14, 14, 10, 4, 1, 1}));
  EXPECT_EQ(loads("allgather_tea2", 10), (std::vector<Bytes>{1, 5, 12, 21, 26, 21, 12, 5, 1, 1}));
  EXPECT_EQ(loads("allgather_tea1", 5), (std::vector<Bytes>{1, 4, 6, 4, 1}));  // C(4, i-1)
}

/// Every block at distance i comes over i links: on the 3-cube 3*1 + 3*2 + 1*3 = 12 deliveries for 7 blocks.
TEST(TotalExchange, TheFirstFormRepeats) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const Spec spec = request(Collective::allgather, cube(3), 5);
  const Built built = build(spec, machine, parse_choice("allgather_tea1"));
  const Proof proof = verify(spec, machine, *built.schedule, built.claims);
  ASSERT_TRUE(proof.holds);
  EXPECT_EQ(proof.deliveries, 8 * 12);
  EXPECT_EQ(proof.duplicates, 8 * (12 - 7));
}

TEST(TotalExchange, ThousandsOfRanksAreProvenBySymmetry) {
  for (const Duplex duplex : {Duplex::half, Duplex::full})
    for (const char* name : {"allgather_tea2", "allgather_tea2_grouped", "allgather_tea1", "allgather_adea_rotated"}) {
      const Machine machine = test_machine(Ports::all, duplex, Switching::store_and_forward);
      const Spec spec = request(Collective::allgather, cube(testing::sanitized ? 11 : 12), 1000);
      if (!find_algorithm(name).illegal(spec, machine, {}).empty()) continue;
      const Built built = build(spec, machine, parse_choice(name));
      const Proof proof = verify(spec, machine, *built.schedule, built.claims);
      EXPECT_TRUE(proof.holds && proof.by_symmetry) << name;
      EXPECT_EQ(count(spec, machine, *built.schedule).cost, built.formula) << name;
    }
}

TEST(Allgather, RefusalsNameAWayOut) {
  const auto reason = [](const char* name, const char* topology, Ports ports, Duplex duplex) {
    return find_algorithm(name).illegal(request(Collective::allgather, topology, 8),
                                        test_machine(ports, duplex, Switching::store_and_forward), {});
  };
  EXPECT_NE(reason("allgather_tea2", "ring:6", Ports::all, Duplex::full).find("hypercube:2"), std::string::npos);
  EXPECT_NE(reason("allgather_tea1", "hypercube:3", Ports::one, Duplex::full).find("ports=all"), std::string::npos);
  EXPECT_NE(reason("allgather_tea1_grouped", "hypercube:3", Ports::all, Duplex::full).find("allgather_tea2"),
            std::string::npos);
  EXPECT_NE(reason("allgather_doubling", "ring:6", Ports::one, Duplex::full).find("crossbar:6"), std::string::npos);
  EXPECT_NE(reason("allgather_doubling", "crossbar:6", Ports::one, Duplex::half).find("duplex=full"),
            std::string::npos);
  EXPECT_EQ(reason("allgather_daisy", "ring:7", Ports::one, Duplex::half), "");
  EXPECT_NE(reason("allgather_sequential", "ring:7", Ports::one, Duplex::full).find("allgather_daisy"),
            std::string::npos);
}

}  // namespace
}  // namespace quadrille::allgather_test
