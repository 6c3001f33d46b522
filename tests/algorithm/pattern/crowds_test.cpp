// Further messages where several streams of packets leave a rank, or meet at one: closed forms against counts.
#include "algorithm/pattern/crowds.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sound.hpp"

namespace quadrille::crowds_test {
namespace {

using testing::request;

/// Some rank sends or receives a stream from each of its starts on, a packet a round: counted round by round.
std::int64_t by_rounds(const std::vector<std::vector<Round>>& ranks, std::int64_t packets) {
  std::int64_t sum = 0;
  for (Round t = 0; t < 64; ++t) {
    std::int64_t most = 0;
    for (const std::vector<Round>& starts : ranks)
      most = std::max<std::int64_t>(most, std::count_if(starts.begin(), starts.end(), [&](Round start) {
                                      return start <= t && t < start + packets;
                                    }));
    sum += std::max<std::int64_t>(0, most - 1);
  }
  return sum;
}

TEST(PacketCrowds, AreThoseOfEveryRound) {
  std::mt19937 random(1);
  const auto below = [&](Round n) { return std::uniform_int_distribution<Round>(0, n - 1)(random); };
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::vector<Round>> ranks(static_cast<std::size_t>(1 + below(5)));
    algorithm::pattern::PacketCrowds crowds;
    for (std::vector<Round>& starts : ranks) {
      for (Round streams = below(5); streams > 0; --streams) starts.push_back(below(12));
      crowds.add(starts);
    }
    for (std::int64_t packets = 1; packets <= 20; ++packets)
      ASSERT_EQ(crowds.further(packets), by_rounds(ranks, packets)) << ::testing::PrintToString(ranks) << packets;
  }
}

// The first stream of one rank is joined in round 10 only, the later first stream of another one in round 2 already.
TEST(PacketCrowds, OfTwoRanksTheLaterMayBeCrowdedEarlier) {
  algorithm::pattern::PacketCrowds crowds;
  crowds.add({0, 10});
  crowds.add({1, 2});
  EXPECT_EQ(crowds.further(20), 20 - 2 + 1);  // rounds 2 .. 20
}

std::vector<std::string> tori() {
  std::vector<std::string> all;
  for (int rows = 2; rows <= 5; ++rows)
    for (int cols = 2; cols <= 5; ++cols) all.push_back("torus:" + std::to_string(rows) + "x" + std::to_string(cols));
  for (int a = 2; a <= 4; ++a)
    for (int b = 2; b <= 4; ++b)
      for (int c = 2; c <= 4; ++c)
        all.push_back("torus:" + std::to_string(a) + "x" + std::to_string(b) + "x" + std::to_string(c));
  for (const char* other : {"torus:6x6", "torus:8x8", "torus:5x9", "torus:2x2x3x3", "hypercube:2", "hypercube:3",
                            "hypercube:5", "ring:7", "ring:8", "mesh:4x4", "crossbar:6"})
    all.emplace_back(other);
  return all;
}

Machine with_overheads(Duplex duplex) {
  Machine m = testing::test_machine(Ports::all, duplex, Switching::wormhole);
  m.overhead_send = 211, m.overhead_receive = 307;
  return m;
}

/// The message has so few bytes that some packets are empty, or just not, or so many that none is.
void check_packets(const std::string& name, const std::string& topology, std::int64_t packets,
                   std::set<std::string>& tried) {
  const Algorithm& a = find_algorithm(name);
  for (const Duplex duplex : {Duplex::full, Duplex::half})
    for (const Bytes bytes : {5 * packets - 4, 6 * packets - 1, Bytes{1000}}) {
      const Spec spec = request(a.collective, topology, bytes, 1);
      const Machine m = with_overheads(duplex);
      const Params params{{"packets", {packets}}};
      if (!a.illegal(spec, m, params).empty()) continue;
      tried.insert(name);
      if (testing::sampled(testing::command(spec, m, a, params)))
        testing::expect_sound(spec, m, a, params, bytes < 5 * packets);
    }
}

TEST(Crowds, ClosedFormsCountThemOnEveryTorus) {
  std::set<std::string> tried;
  const std::vector<std::string> names{"bcast_adst",    "bcast_esbt", "bcast_two_trees",    "bcast_two_edst",
                                       "bcast_catchup", "bcast_late", "sendrecv_multipath", "bcast_relayed"};
  for (const std::string& topology : tori())
    for (const std::string& name : names)
      for (std::int64_t packets = 1; packets <= 12; ++packets) {
        check_packets(name, topology, packets, tried);
        if (HasFailure()) return;
      }
  EXPECT_EQ(tried, std::set<std::string>(names.begin(), names.end()));
}

}  // namespace
}  // namespace quadrille::crowds_test
