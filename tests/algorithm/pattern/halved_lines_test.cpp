// Lines that are halved and halved again: as few rounds as can be along every axis, no two messages on a link, all
// volume once, wherever the root is; and the same from all ranks at once.
#include "algorithm/pattern/halved_lines.hpp"

#include <algorithm>

#include "proven.hpp"

namespace quadrille::halving_test {
namespace {

using namespace testing;

const Machine circuits = test_machine(Ports::one, Duplex::half, Switching::circuit);

TEST(Halving, EveryRankIsServedOnceFromEveryRoot) {
  for (const char* topology : {"ring:2", "ring:7", "ring:16", "mesh:9", "mesh:3x5", "mesh:1x6", "torus:4x6",
                               "torus:5x3", "torus:2x3x4", "mesh:3x2x5"})
    for (Rank root = 0; root < parse_topology(topology)->ranks(); ++root)
      for (const char* name : {"bcast_halving", "scatter_halving", "gather_halving"}) {
        const Spec spec = request(find_algorithm(name).collective, topology, 97, root);
        expect_proven(spec, circuits, find_algorithm(name), {});
        if (HasFailure()) return;
      }
}

/// The larger half stays with the holder: 7 = 4 + 3, 4 = 2 + 2, 2 = 1 + 1; the nearest rank beyond the cut receives.
TEST(Halving, KeepsTheLargerHalfWithTheHolder) {
  const algorithm::pattern::Stretch line{0, 7, 5};
  EXPECT_EQ(line.middle(), 3);
  EXPECT_EQ(line.receiver(), 2);
  const algorithm::pattern::Stretch low = line.half_of(0), high = line.half_of(6);
  EXPECT_EQ(std::make_tuple(low.low, low.size, low.holder), std::make_tuple(0, 3, 2));
  EXPECT_EQ(std::make_tuple(high.low, high.size, high.holder), std::make_tuple(3, 4, 5));
}

/// 3 + 4 rounds on 5 x 9 from the corner: over the larger half of 5, 3 and 2 ranks, then of 9, 5, 3 and 2.
TEST(Halving, CountsLinks) {
  const Spec spec = request(Collective::bcast, "mesh:5x9", 10);
  const Cost cost = find_algorithm("bcast_halving").cost(spec, circuits, {});
  EXPECT_EQ(cost.startups, 3 + 4);
  EXPECT_EQ(cost.hops, 3 + 2 + 1 + 5 + 3 + 2 + 1);
  EXPECT_EQ(cost.bytes, 70);
}

TEST(Halving, AnswersForAnySizeAtOnce) {
  const Spec ring = request(Collective::scatter, "ring:1073741824", 2, 12345);
  const Cost cost = find_algorithm("scatter_halving").cost(ring, circuits, {});
  EXPECT_EQ(cost.startups, 30);
  EXPECT_EQ(cost.bytes, 2 * ((std::int64_t{1} << 30) - 1));
}

TEST(Halving, SaysWhyNotAndWhatInstead) {
  const Machine relays = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  const auto reason = [](const char* name, const char* topology, const Machine& m, const Params& p = {}) {
    return find_algorithm(name).illegal(request(find_algorithm(name).collective, topology, 10), m, p);
  };
  EXPECT_EQ(reason("bcast_halving", "torus:3x3", relays), "");  // the other two are both beside the root
  EXPECT_NE(reason("bcast_halving", "ring:8", relays).find("over 4 links"), std::string::npos);
  EXPECT_NE(reason("bcast_halving", "ring:8", relays).find("try bcast_chain or --set switching=circuit"),
            std::string::npos);
  EXPECT_NE(reason("gather_halving", "mesh:5x5", relays).find("try gather_axes"), std::string::npos);
  EXPECT_NE(reason("scatter_halving", "crossbar:8", circuits).find("nearest: ring:8"), std::string::npos);
  EXPECT_NE(reason("scatter_halving", "ring:8", relays).find("try scatter_chain"), std::string::npos);
  EXPECT_NE(reason("allgather_lin", "hypercube:3", circuits).find("nearest: ring:8"), std::string::npos);
  EXPECT_NE(reason("allgather_lin", "omega:3", circuits).find("nearest: ring:8"), std::string::npos);
  EXPECT_NE(reason("allgather_lin", "bus:8", circuits).find("try allgather_sequential"), std::string::npos);
  EXPECT_NE(reason("allgather_lin", "memory:8", circuits).find("try allgather_memory"), std::string::npos);
  EXPECT_NE(reason("allgather_lin", "ring:8", circuits, {{"lines", {2}}}).find("try lines=1"), std::string::npos);
  EXPECT_NE(reason("allgather_lin", "mesh:200x200", circuits).find("at most 16384"), std::string::npos);
}

/// From all ranks of 8 x 8 row by row, links shared by the messages of a round: along a row of 8 the exchange over 4, 2
/// and 1 places puts 4, 2 and 1 messages on a link, of 8, 16 and 32 blocks once the columns have gone first.
TEST(Halving, AllRanksAtOnce) {
  const Spec spec = request(Collective::allgather, "mesh:8x8", 1);
  const Machine full = test_machine(Ports::one, Duplex::full, Switching::wormhole);
  const Cost cost = find_algorithm("allgather_lin").cost(spec, full, {{"lines", {3}}});
  EXPECT_EQ(cost.startups, 6);
  EXPECT_EQ(cost.bytes, 4 * 1 + 2 * 2 + 1 * 4 + 4 * 8 + 2 * 16 + 1 * 32);
}

}  // namespace
}  // namespace quadrille::halving_test
