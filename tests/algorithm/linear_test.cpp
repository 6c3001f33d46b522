// Everything at once: the loads of routes worked out by hand, and what is gained where a rank has links to spare.
#include "quadrille/plan.hpp"
#include "sound.hpp"

namespace quadrille::linear_test {
namespace {

using testing::request;
using testing::test_machine;

struct Posted {
  const char* algorithm;
  const char* topology;
  Duplex duplex;
  bool multicast;
  Rank root;
  std::int64_t startups, hops;
  Bytes blocks;  ///< on the busiest link, or wire
};
constexpr Duplex full = Duplex::full, half = Duplex::half;

/// P - 1 messages a rank take ceil((P - 1) / links) turns.
constexpr Posted posted[] = {
    // Clockwise 1 + 2 + 3 + 4 links to the ranks up to half way, back 1 + 2 + 3: with one rank's routes on all links
    // alike, that many messages on each.
    {"alltoall_linear", "ring:8", full, false, 0, 4, 4, 10},
    {"alltoall_linear", "ring:8", half, false, 0, 4, 4, 16},
    {"alltoall_linear", "ring:7", full, false, 0, 3, 3, 6},
    {"alltoall_linear", "ring:2", half, false, 0, 1, 1, 2},
    // Half of all ranks lie beyond a wire of any dimension, and each sends half of its blocks over them: P/2.
    {"alltoall_linear", "hypercube:3", full, false, 0, 3, 3, 4},
    {"alltoall_linear", "hypercube:3", half, false, 0, 3, 3, 8},
    // A row's links: 1 + 2 from its own pairs, for each of the 4 rows that the receiver may be in.
    {"alltoall_linear", "torus:4x4", full, false, 0, 4, 4, 12},
    // 5x3: columns of 5 pass on to 3 columns, (1 + 2) * 3; rows of 3 come to 5 rows, 1 * 5.
    {"alltoall_linear", "torus:5x3", full, false, 0, 4, 3, 9},
    // Over the middle of a column of 4: 2 * 2 pairs for each of the 3 columns; of a row of 3: 1 * 2 for each of 4 rows.
    {"alltoall_linear", "mesh:4x3", full, false, 0, 3, 5, 12},
    {"alltoall_linear", "mesh:4x3", half, false, 0, 3, 5, 24},
    {"alltoall_linear", "crossbar:6", full, false, 0, 1, 1, 1},
    {"alltoall_linear", "crossbar:6", half, false, 0, 1, 1, 2},
    {"alltoall_linear", "omega:3", full, false, 0, 7, 4, 7},
    {"alltoall_linear", "fly:3^2", half, false, 0, 8, 3, 8},
    // 18 ranks; level 1: 9 from left to right, 9 - 3 of the left before they turn, 9 - 3 of the right after it.
    {"alltoall_linear", "bifly:3^2", full, false, 0, 17, 4, 21},
    {"alltoall_linear", "bifly:3^2", half, false, 0, 17, 4, 42},
    // Sent once over each link: a link carries the blocks of all ranks whose routes lead over it.
    {"allgather_linear", "ring:8", full, false, 0, 4, 4, 10},
    {"allgather_linear", "ring:8", full, true, 0, 4, 4, 4},
    {"allgather_linear", "ring:8", half, true, 0, 4, 4, 7},
    // The first axis comes last: 2 ranks of the column that send up it, in any of the 3 columns.
    {"allgather_linear", "torus:5x3", full, true, 0, 4, 3, 6},
    {"allgather_linear", "torus:3x5", full, true, 0, 4, 3, 5},
    {"allgather_linear", "mesh:4x3", full, true, 0, 3, 5, 9},
    {"allgather_linear", "mesh:4x3", half, true, 0, 3, 5, 12},
    {"allgather_linear", "crossbar:6", full, false, 0, 1, 1, 1},
    {"allgather_linear", "omega:3", full, true, 0, 7, 4, 7},
    {"allgather_linear", "bifly:3^2", half, true, 0, 17, 4, 18},
    // Root 5 of 4x3 is (1, 2). To it up the column of 4 come 2 of 3 ranks' rows, 3 * 2; from it along the row, 2 * 4.
    {"gather_linear", "mesh:4x3", full, false, 5, 3, 4, 6},
    {"scatter_star", "mesh:4x3", full, false, 5, 3, 4, 8},
    {"gather_linear", "torus:5x3", half, false, 7, 4, 3, 6},
    {"scatter_star", "torus:5x3", half, false, 7, 4, 3, 5},
    {"gather_linear", "hypercube:4", full, false, 9, 4, 4, 8},
    {"gather_linear", "crossbar:6", half, false, 2, 1, 1, 1},
    {"scatter_star", "bifly:2^2", full, false, 3, 7, 4, 7},
};

TEST(Linear, PutsOnTheBusiestLinkWhatItsRoutesSay) {
  for (const Posted& p : posted) {
    const Choice choice = parse_choice(p.algorithm);
    Machine machine = test_machine(Ports::all, p.duplex, Switching::circuit);
    machine.multicast = p.multicast;
    const Spec spec = request(choice.algorithm->collective, p.topology, 10, p.root);
    const Built built = build(spec, machine, choice);
    const std::string expected =
        testing::to_text({.startups = p.startups, .hops = p.hops, .bytes = 10 * p.blocks, .further = spec.ranks() - 2});
    EXPECT_EQ(testing::to_text(built.formula), expected) << p.algorithm << " on " << p.topology;
    EXPECT_EQ(testing::to_text(count(spec, machine, *built.schedule).cost), expected)
        << p.algorithm << " on " << p.topology;
  }
}

TEST(Linear, IsCountedExactlyOnEveryNetworkAlsoWithCellsThatCopy) {
  std::vector<std::string> networks{"torus:2x2x2", "torus:1x5",  "torus:2x5", "torus:4x3x2", "torus:5x6",
                                    "mesh:2",      "mesh:3x1x4", "mesh:5x4",  "fly:2^1",     "fly:4^2",
                                    "bifly:2^1",   "bifly:2^3",  "bifly:3^2", "bifly:4^2"};
  for (int p = 2; p <= 12; ++p)
    networks.insert(networks.end(), {"ring:" + std::to_string(p), "crossbar:" + std::to_string(p)});
  for (int n = 1; n <= 5; ++n)
    networks.insert(networks.end(), {"hypercube:" + std::to_string(n), "omega:" + std::to_string(n)});
  for (const std::string& network : networks)
    for (const char* name : {"alltoall_linear", "allgather_linear", "gather_linear", "scatter_star"})
      for (const Duplex duplex : {Duplex::full, Duplex::half, Duplex::node_half})
        for (const Switching switching : {Switching::circuit, Switching::store_and_forward})
          for (const bool multicast : {false, true}) {
            const Algorithm& a = find_algorithm(name);
            if (multicast && a.collective != Collective::allgather) continue;  // only then is anything sent twice
            Machine machine = test_machine(Ports::all, duplex, switching);
            machine.multicast = multicast;
            const Rank p = parse_topology(network)->ranks();
            for (const Rank root : std::set<Rank>{0, has_root(a.collective) ? p / 3 : 0}) {
              const Spec spec = request(a.collective, network, 7, root);
              if (!a.illegal(spec, machine, {}).empty()) continue;
              testing::expect_sound(spec, machine, a, {});
              ASSERT_FALSE(HasFailure());
            }
          }
}

/// Messages that are many for a rank's links take turns, and each turn is a start-up: 63 blocks over 6 links take 11.
TEST(Linear, PaysAStartUpForEveryTurnAtARanksLinks) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
  for (const auto& [network, turns] :
       {std::pair{"hypercube:6", 11}, {"ring:64", 32}, {"torus:8x8", 16}, {"crossbar:64", 1}, {"omega:6", 63}}) {
    const Built built = build(request(Collective::alltoall, network, 1), machine, parse_choice("alltoall_linear"));
    EXPECT_EQ(built.formula.startups, turns) << network;
  }
}

/// A machine like an emulated network of 20 Mbit/s: 30 us a message, 0.42 us a byte; copies of `rho` seconds a byte.
Plan on_slow_links(const char* network, Bytes bytes, double rho = 0) {
  Machine machine = test_machine(Ports::all, Duplex::full, Switching::wormhole);
  machine.alpha = 30e-6, machine.per_hop = 0, machine.beta = 0.42e-6, machine.rho = rho;
  return plan(request(Collective::alltoall, network, bytes), machine);
}

/// Blocks of 64 KiB cut in three do not come out even on a cube: 4 * 65536 bytes at once are 8 fewer than 3 rounds of
/// 4 * 21846. On an odd ring every message goes the shorter way: 1 + 2 + 3 blocks on every link of ring:7 and 6
/// messages over 2 links, as many bytes and start-ups as with bundles, which must be packed.
TEST(Linear, IsChosenForLargeBlocksWhereItsRoutesAreEven) {
  for (const auto& [network, rho] : {std::pair{"hypercube:3", 0.0}, {"crossbar:8", 0.0}, {"ring:7", 1e-10}}) {
    const Plan best = on_slow_links(network, 64 << 10, rho);
    EXPECT_EQ(best.best().algorithm->name, "alltoall_linear") << network;
    EXPECT_LT(best.gap(), 1.001) << network;
  }
  // 4 blocks of 64 KiB and 3 start-ups: 110 190 us.
  EXPECT_NEAR(on_slow_links("hypercube:3", 64 << 10).best().time, 3 * 30e-6 + 4 * 65536 * 0.42e-6, 1e-12);
}

/// 63 blocks over 6 links are 11 start-ups, and a cube's dimensions are 6.
TEST(Linear, IsNotChosenForSmallBlocksOnManyRanks) {
  EXPECT_NE(on_slow_links("hypercube:6", 8).best().algorithm->name, "alltoall_linear");
}

/// Half way round an even ring all messages go clockwise: 10 blocks on ring:8 and 3 * 4 on torus:4x4, where bundles
/// that go both ways put 8 on every link.
TEST(Linear, IsNotChosenWhereHalfWayRoundGoesOneWay) {
  EXPECT_EQ(on_slow_links("ring:8", 64 << 10).best().algorithm->name, "alltoall_bidir");
  EXPECT_EQ(on_slow_links("torus:4x4", 64 << 10).best().algorithm->name, "alltoall_bidir_rotated");
}

TEST(Linear, CostsNothingToPriceOnAMillionRanks) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::circuit);
  for (const char* network : {"hypercube:20", "ring:1000001", "torus:1001x1001", "mesh:100x100x100", "crossbar:1000000",
                              "omega:20", "fly:4^10", "bifly:2^19"}) {
    const Spec spec = request(Collective::alltoall, network, 1);
    const Cost cost = find_algorithm("alltoall_linear").cost(spec, machine, {});
    EXPECT_GE(seconds(cost, machine, *spec.topology) * (1 + 1e-12), lower_bound(spec, machine).time) << network;
  }
}

// ---- a part by way of every other rank of a crossbar

TEST(Relayed, BroadcastOverAllWiresComesNearTheBound) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (Rank p = 3; p <= 12; ++p)
    for (const Bytes bytes : {Bytes{0}, Bytes{1}, p - 1, Bytes{97}})
      for (const std::int64_t packets : {1, 2, 5}) {
        const Spec spec = request(Collective::bcast, "crossbar:" + std::to_string(p), bytes, p / 3);
        const Algorithm& a = find_algorithm("bcast_relayed");
        if (a.illegal(spec, machine, {{"packets", {packets}}}).empty())
          testing::expect_sound(spec, machine, a, {{"packets", {packets}}});
      }
}

/// 63 wires lead to every rank, and two links to it by way of another: for large messages the volume is the bound's.
TEST(Relayed, LargeMessagesMeetTheBoundOnACrossbar) {
  Machine machine;
  for (const Collective c : {Collective::bcast, Collective::sendrecv}) {
    const Plan small = plan(request(c, "crossbar:64", 1024), machine);
    EXPECT_LT(small.gap(), 2) << to_string(c);
    const Plan large = plan(request(c, "crossbar:64", 64 << 20), machine);
    EXPECT_LT(large.gap(), 1.01) << to_string(c);
  }
}

}  // namespace
}  // namespace quadrille::linear_test
