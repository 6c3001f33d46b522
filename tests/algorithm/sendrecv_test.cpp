// One-to-one: every algorithm proven and counted over topologies, ranks, sizes and packets; the best packets against
// exhaustive search; the paths themselves; values worked out independently.
#include <set>

#include "algorithm/kit/support.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"
#include "proven.hpp"
#include "sampled.hpp"

namespace quadrille::sendrecv_test {
namespace {

using testing::expect_known;
using testing::expect_proven;
using testing::neighbour_machines;
using testing::proven_where_legal;
using testing::request;
using testing::test_machine;

std::vector<std::string> topologies() {
  std::vector<std::string> all;
  for (int d = 1; d <= 6; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (int p = 2; p <= 17; ++p) all.push_back("ring:" + std::to_string(p));
  for (const int p : {2, 3, 8, 13, 17}) all.push_back("crossbar:" + std::to_string(p));
  for (const char* grid : {"torus:3x3", "torus:4x4", "torus:3x7", "torus:6x5", "torus:2x4", "torus:9", "mesh:3x4"})
    all.emplace_back(grid);
  return all;
}

/// Some pairs of ranks: next to each other, far apart, against the order.
std::set<std::pair<Rank, Rank>> pairs(Rank p) {
  std::set<std::pair<Rank, Rank>> all;
  for (const Rank root : {Rank{0}, p / 3, p - 1})
    for (const Rank step : {Rank{1}, p / 2, 2 * p / 3, p - 1})
      if ((root + step) % p != root) all.emplace(root, (root + step) % p);
  return all;
}

TEST(Sendrecv, IsProvenAndExactOverTopologiesSizesAndPackets) {
  std::set<std::string> legal;
  for (const std::string& topology : topologies()) {
    const Rank p = parse_topology(topology)->ranks();
    for (const auto& [root, target] : pairs(p))
      for (const Bytes bytes : std::set<Bytes>{0, 1, p - 1, p, 97}) {
        const Spec spec = request(Collective::sendrecv, topology, bytes, root, target);
        for (const Machine& machine : neighbour_machines()) {
          if (machine.multicast || !testing::sampled(to_text(spec) + to_text(machine))) continue;
          if (proven_where_legal(spec, machine, "sendrecv_direct", {})) legal.insert("direct");
          for (const std::int64_t n : {1, 2, 5, 16, 97}) {
            if (proven_where_legal(spec, machine, "sendrecv_pipelined", {{"packets", {n}}})) legal.insert("pipelined");
            if (proven_where_legal(spec, machine, "sendrecv_multipath", {{"packets", {n}}})) legal.insert("multipath");
            if (proven_where_legal(spec, machine, "sendrecv_balanced", {{"packet_bytes", {n}}}))
              legal.insert("balanced");
          }
          if (const Algorithm& a = find_algorithm("sendrecv_unsynchronised"); a.illegal(spec, machine, {}).empty())
            for (const Params& params : a.variants(spec, machine))
              if (proven_where_legal(spec, machine, "sendrecv_unsynchronised", params)) legal.insert("unsynchronised");
          if (::testing::Test::HasFailure()) return;
        }
      }
  }
  EXPECT_EQ(legal, (std::set<std::string>{"balanced", "direct", "multipath", "pipelined", "unsynchronised"}));
}

TEST(Sendrecv, DirectCrossesTheWholeRouteOnACircuit) {
  const Machine circuit = test_machine(Ports::one, Duplex::half, Switching::circuit);
  for (const std::string topology : {"hypercube:4", "ring:9", "crossbar:5"}) {
    const Spec spec = request(Collective::sendrecv, topology, 1000);
    expect_proven(spec, circuit, find_algorithm("sendrecv_direct"), {});
    EXPECT_EQ(find_algorithm("sendrecv_direct").cost(spec, circuit, {}).hops, spec.topology->diameter());
  }
}

TEST(Sendrecv, SaysWhyNotAndWhatInstead) {
  const auto reason = [](const std::string& name, const std::string& topology, const Machine& m, const Params& p = {}) {
    return find_algorithm(name).illegal(request(Collective::sendrecv, topology, 10), m, p);
  };
  const Machine all = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Machine one = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  EXPECT_NE(reason("sendrecv_direct", "ring:9", all).find("try sendrecv_pipelined"), std::string::npos);
  EXPECT_NE(reason("sendrecv_multipath", "ring:9", one).find("one port"), std::string::npos);
  EXPECT_NE(reason("sendrecv_multipath", "omega:3", all).find("only one is known"), std::string::npos);
  EXPECT_NE(reason("sendrecv_unsynchronised", "crossbar:9", all).find("try sendrecv_balanced"), std::string::npos);
  EXPECT_NE(reason("sendrecv_balanced", "ring:2", all).find("only one is known"), std::string::npos);
  EXPECT_NE(reason("sendrecv_pipelined", "ring:9", all, {{"packets", {11}}}).find("packets=11"), std::string::npos);
  EXPECT_NE(reason("sendrecv_multipath", "ring:9", all, {{"packets", {6}}}).find("1 .. 5"), std::string::npos);
  EXPECT_NE(reason("sendrecv_balanced", "ring:9", all, {{"packet_bytes", {11}}}).find("1 .. 10"), std::string::npos);
}

TEST(Sendrecv, ALargeRingIsPricedWithoutWalkingIt) {
  const Spec spec = request(Collective::sendrecv, "ring:1073741824", 1 << 20);
  const Machine m = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  for (const std::string name : {"sendrecv_pipelined", "sendrecv_multipath", "sendrecv_balanced"}) {
    const Algorithm& a = find_algorithm(name);
    const Params params = a.variants(spec, m).front();
    EXPECT_EQ(build(spec, m, {&a, params}).schedule->shape().rounds, a.cost(spec, m, params).startups) << name;
  }
}

/// The least cost over every value of the parameter, and the smallest value that has it.
template <class CostOf>
std::int64_t exhaustive(std::int64_t high, Seconds startup, double per_byte, CostOf cost_of) {
  std::int64_t best = 0;
  double least = 0;
  for (std::int64_t x = 1; x <= high; ++x) {
    const Cost c = cost_of(x);
    const double time = static_cast<double>(c.startups) * startup + static_cast<double>(c.bytes) * per_byte;
    if (best == 0 || time < least) best = x, least = time;
  }
  return best;
}

const std::vector<algorithm::kit::Lengths> length_lists{
    {1, 3},       {2, 6},       {4, 4},           {1, 15},         {1, 3, 3},         {5, 5, 7, 7},
    {3, 3, 3, 5}, {1, 3, 5, 7}, {2, 2, 2, 2, 40}, {1, 1, 9, 9, 9}, {6, 6, 6, 6, 6, 6}};

// Constants are whole numbers, so that equal times are equal doubles.
TEST(Paths, BestPacketSizeEqualsExhaustiveSearch) {
  for (const algorithm::kit::Lengths& lengths : length_lists)
    for (const double tau : {0., 1., 2., 5., 30., 1000.})
      for (const double g : {0., 1., 3.})
        for (const Bytes bytes : {1, 2, 3, 7, 24, 60, 97, 128, 200, 360, 999}) {
          const auto cost_of = [&](Bytes w) { return algorithm::kit::balanced_cost(lengths, bytes, w); };
          EXPECT_EQ(algorithm::kit::best_packet_bytes(lengths, bytes, tau, g), exhaustive(bytes, tau, g, cost_of))
              << ::testing::PrintToString(lengths) << " tau " << tau << " g " << g << " N " << bytes;
        }
}

TEST(Paths, BestEqualPacketsEqualExhaustiveSearch) {
  for (const algorithm::kit::Lengths& lengths : length_lists)
    for (const double tau : {0., 1., 2., 5., 30., 1000.})
      for (const double g : {0., 1., 3.})
        for (const Bytes bytes : {1, 2, 3, 7, 24, 60, 97, 128, 200, 360, 999}) {
          const auto cost_of = [&](std::int64_t nu) { return algorithm::kit::equal_cost(lengths, bytes, nu); };
          const Bytes high = (bytes - 1) / static_cast<Bytes>(lengths.size()) + 1;
          EXPECT_EQ(algorithm::kit::best_equal_packets(lengths, bytes, tau, g), exhaustive(high, tau, g, cost_of))
              << ::testing::PrintToString(lengths) << " tau " << tau << " g " << g << " N " << bytes;
        }
}

TEST(Paths, TheSearchIsShortForLargeMessages) {
  const algorithm::kit::Lengths lengths{7, 7, 7, 9, 9, 11};
  for (const double tau : {1e-3, 1., 1e3, 1e6, 1e9}) {
    const Bytes n = Bytes{1} << 30;
    const auto time = [&](const Cost& c) {
      return static_cast<double>(c.startups) * tau + static_cast<double>(c.bytes);
    };
    const double s = 44, least = std::pow(std::sqrt(static_cast<double>(n)) + std::sqrt(s * tau), 2) / 6;
    const double balanced =
        time(algorithm::kit::balanced_cost(lengths, n, algorithm::kit::best_packet_bytes(lengths, n, tau, 1)));
    const double equal =
        time(algorithm::kit::equal_cost(lengths, n, algorithm::kit::best_equal_packets(lengths, n, tau, 1)));
    if (tau < 1e8) {
      EXPECT_GE(balanced, least) << tau;  // derivations.md, while all paths are in use
    }
    EXPECT_LE(balanced, equal) << tau;
    EXPECT_LE(equal, time(algorithm::kit::equal_cost(lengths, n, 1))) << tau;
  }
}

TEST(Paths, EachPacketGoesWhereItArrivesFirst) {
  for (const algorithm::kit::Lengths& lengths : length_lists)
    for (std::int64_t packets = 1; packets <= 40; ++packets) {
      std::vector<std::int64_t> given(lengths.size(), 0);
      Round last = 0;
      for (Slot piece = 0; piece < packets; ++piece) {
        std::size_t best = 0;
        for (std::size_t j = 1; j < lengths.size(); ++j)
          if (given[j] + lengths[j] < given[best] + lengths[best]) best = j;
        EXPECT_EQ(algorithm::kit::balanced_piece(lengths, best, given[best]), piece);
        last = given[best]++ + lengths[best];
      }
      EXPECT_EQ(algorithm::kit::balanced_packets(lengths, packets), given);
      EXPECT_EQ(algorithm::kit::balanced_rounds(lengths, packets), last);
    }
}

// Path lengths 2 and 6, 200 words, tau = g = 1: 40 packets of 5, 22 + 18, 23 rounds, 138. Lengths 5,5,7,7, 360 words,
// tau = 5: 40 packets of 9, 15 rounds, 210.
TEST(Paths, KnownOptima) {
  EXPECT_EQ(algorithm::kit::best_packet_bytes({2, 6}, 200, 1, 1), 5);
  EXPECT_EQ(algorithm::kit::balanced_packets({2, 6}, 40), (std::vector<std::int64_t>{22, 18}));
  EXPECT_EQ(algorithm::kit::balanced_cost({2, 6}, 200, 5), algorithm::kit::neighbour_cost(23, 115));
  EXPECT_EQ(algorithm::kit::best_packet_bytes({5, 5, 7, 7}, 360, 5, 1), 9);
  EXPECT_EQ(algorithm::kit::balanced_packets({5, 5, 7, 7}, 40), (std::vector<std::int64_t>{11, 11, 9, 9}));
  EXPECT_EQ(algorithm::kit::balanced_cost({5, 5, 7, 7}, 360, 9), algorithm::kit::neighbour_cost(15, 135));
}

TEST(Sendrecv, KnownValues) {
  const Duplex half = Duplex::half;
  expect_known({"sendrecv_pipelined:packets=1", "ring:8", 120, 0, 3, half, 10, 1, 390, 3, 3, 120, 360});
  expect_known({"sendrecv_pipelined:packets=1", "ring:9", 55, 0, 4, half, 3, 2, 452, 4, 4, 55, 220});
  expect_known({"sendrecv_pipelined:packets=6", "ring:8", 120, 0, 3, half, 10, 1, 240, 8, 18, 120, 160});
  expect_known({"sendrecv_pipelined:packets=7", "ring:9", 55, 0, 4, half, 3, 2, 188, 10, 28, 55, 79});
  expect_known({"sendrecv_pipelined:packets=1", "ring:16", 64, 0, 1, half, 5, 1, 69, 1, 1, 64, 64});
  expect_known({"sendrecv_direct", "ring:16", 64, 0, 1, half, 5, 1, 69, 1, 1, 64, 64});
  expect_known({"sendrecv_pipelined:packets=9", "ring:11", 97, 0, 3, half, 8, 0.25, 117.75, 11, 27, 97, 119});
  expect_known({"sendrecv_multipath:packets=5", "ring:8", 240, 0, 2, half, 10, 1, 340, 10, 40, 120, 240});
  expect_known({"sendrecv_multipath:packets=5", "ring:9", 100, 0, 1, half, 4, 1, 168, 12, 45, 50, 120});
  expect_known({"sendrecv_balanced:packet_bytes=5", "ring:8", 200, 0, 2, half, 1, 1, 138, 23, 152, 110, 115});
  expect_known({"sendrecv_balanced:packet_bytes=10", "ring:16", 320, 0, 5, half, 10, 1, 460, 23, 238, 190, 230});
  expect_known({"sendrecv_balanced:packet_bytes=9", "ring:10", 90, 0, 1, half, 6, 1. / 3, 81, 9, 18, 81, 81});
  expect_known({"sendrecv_pipelined:packets=10", "hypercube:5", 310, 3, 28, half, 8, 0.5, 329, 14, 50, 310, 434});
  expect_known({"sendrecv_multipath:packets=6", "hypercube:4", 240, 0, 7, half, 10, 1, 200, 10, 84, 60, 100});
  expect_known({"sendrecv_multipath:packets=10", "hypercube:5", 500, 3, 28, half, 8, 0.5, 182, 14, 250, 100, 140});
  expect_known({"sendrecv_multipath:packets=5", "hypercube:3", 90, 1, 0, half, 2, 1, 56, 7, 35, 30, 42});
  expect_known({"sendrecv_balanced:packet_bytes=10", "hypercube:5", 500, 3, 28, half, 8, 0.5, 182, 14, 250, 100, 140});
  expect_known({"sendrecv_balanced:packet_bytes=6", "hypercube:3", 60, 0, 1, half, 5, 1, 55, 5, 20, 30, 30});
}

/// Smallest packet count of least cost, and that cost.
TEST(Sendrecv, KnownBestPackets) {
  struct Row {
    std::string topology;
    Bytes bytes;
    Rank target;
    double tau, g;
    std::int64_t packets;
    double time;
  };
  for (const Row& row : {Row{"ring:16", 1000, 8, 0.001, 1, 1000, 1008.007}, Row{"ring:16", 10, 8, 1000, 1, 1, 8080},
                         Row{"ring:9", 97, 4, 3, 2, 14, 287}, Row{"ring:12", 1, 6, 5, 1, 1, 36}}) {
    const Spec spec = request(Collective::sendrecv, row.topology, row.bytes, 0, row.target);
    const Machine m = testing::reference_machine(Ports::all, Duplex::half, row.tau, row.g);
    const Algorithm& a = find_algorithm("sendrecv_pipelined");
    const Params best = a.variants(spec, m).front();
    EXPECT_EQ(best.get("packets", 0), row.packets) << row.topology;
    EXPECT_DOUBLE_EQ(seconds(a.cost(spec, m, best), m, *spec.topology), row.time) << row.topology;
  }
}

/// Where a relay does one thing at a time packets follow every second round; the count of packets is the best there,
/// too.
TEST(Sendrecv, BestPacketsWhereARelayDoesOneThingAtATime) {
  for (const std::string topology : {"ring:4", "ring:7", "ring:9", "ring:16", "hypercube:5"})
    for (const double tau : {1., 3., 20.})
      for (const Bytes bytes : {1, 10, 97, 300}) {
        const Spec spec = request(Collective::sendrecv, topology, bytes);
        const Machine m = testing::reference_machine(Ports::all, Duplex::node_half, tau, 1);
        const Algorithm& a = find_algorithm("sendrecv_pipelined");
        const auto cost_of = [&](std::int64_t nu) { return a.cost(spec, m, {{"packets", {nu}}}); };
        EXPECT_EQ(a.variants(spec, m).front().get("packets", 0), exhaustive(bytes, tau, 1, cost_of))
            << topology << " " << bytes;
      }
}

}  // namespace
}  // namespace quadrille::sendrecv_test
