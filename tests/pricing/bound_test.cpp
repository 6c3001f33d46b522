// Lower bounds: their numbers where they are known, and how near the best algorithms come to them.
#include <gtest/gtest.h>

#include <cmath>

#include "quadrille/price.hpp"
#include "settings.hpp"

namespace quadrille::bound_test {
namespace {

using testing::request;
using testing::test_machine;

constexpr Duplex half = Duplex::half, full = Duplex::full;

Bound bound_of(Collective c, const std::string& topology, Duplex duplex, Bytes bytes, Rank root = 0) {
  return lower_bound(request(c, topology, bytes, root), test_machine(Ports::all, duplex, Switching::store_and_forward));
}

/// Rounds and bytes that no schedule beats, derived by hand.
struct Least {
  Collective collective;
  const char* topology;
  Duplex duplex;
  Bytes bytes;
  std::int64_t rounds;
  Bytes volume;
};

TEST(Bound, IsTheKnownOneOnRingsToriAndHypercubes) {
  using enum Collective;
  const Least known[] = {
      {sendrecv, "ring:9", half, 100, 4, 50},      {sendrecv, "torus:5x5", half, 100, 4, 25},
      {sendrecv, "hypercube:5", half, 100, 5, 20}, {bcast, "ring:10", half, 100, 5, 90},        // N (k-1)/k
      {bcast, "ring:10", full, 100, 5, 50},                                                     // N/2
      {bcast, "torus:5x5", half, 100, 4, 48},                                                   // N (k-1)/(2k)
      {bcast, "torus:5x5", full, 100, 4, 25},                                                   // N/4
      {bcast, "hypercube:4", half, 128, 4, 60},                                                 // 2N (1 - 1/k)/n
      {bcast, "hypercube:4", full, 100, 4, 25},                                                 // N/n
      {allgather, "ring:9", half, 7, 4, 56},                                                    // (k-1) m
      {allgather, "torus:5x5", half, 8, 4, 96},                                                 // (k-1) m/2
      {allgather, "torus:4x4", half, 8, 4, 60},    {allgather, "hypercube:4", half, 8, 4, 60},  // 2 (k-1) m/n
      {scatter, "ring:9", half, 8, 4, 32},                                                      // (k-1) m/2
      {scatter, "torus:5x5", half, 8, 4, 48},                                                   // (k-1) m/4
      {gather, "torus:5x5", full, 8, 4, 48},       {scatter, "hypercube:4", half, 8, 4, 30},    // (k-1) m/n
      {alltoall, "ring:9", half, 3, 4, 60},                                                     // floor(k^2/4) m
      {alltoall, "ring:8", half, 3, 4, 48},        {alltoall, "ring:8", full, 4, 4, 32},        // half of that
      {alltoall, "torus:5x5", half, 2, 4, 60},                                                  // s floor(s^2/4) m
      {alltoall, "torus:6x6", half, 2, 6, 108},    {alltoall, "torus:6x6", full, 2, 6, 54},
      {alltoall, "hypercube:4", half, 2, 4, 32},  // k m
      {alltoall, "hypercube:4", full, 2, 4, 16},
  };
  for (const Least& k : known) {
    SCOPED_TRACE(std::string(to_string(k.collective)) + " on " + k.topology);
    const Bound bound = bound_of(k.collective, k.topology, k.duplex, k.bytes);
    EXPECT_EQ(bound.parts[0].rounds, k.rounds);
    EXPECT_EQ(bound.parts[1].bytes, k.volume);
  }
}

TEST(Bound, KnowsTheLinksOfTheRoot) {
  EXPECT_EQ(bound_of(Collective::scatter, "mesh:5x5", half, 8, 0).parts[1].bytes, 24 * 8 / 2);   // a corner
  EXPECT_EQ(bound_of(Collective::gather, "mesh:5x5", half, 8, 2).parts[1].bytes, 24 * 8 / 3);    // an edge
  EXPECT_EQ(bound_of(Collective::scatter, "mesh:5x5", half, 8, 12).parts[1].bytes, 24 * 8 / 4);  // inside
  EXPECT_EQ(bound_of(Collective::sendrecv, "mesh:5x5", half, 60, 12).parts[1].bytes, 30);        // to a corner
}

TEST(Bound, OfATranspositionIsThatOfTheLinksThatBind) {
  const auto work = [](const char* topology, Bytes bytes) {
    for (const Bound::Part& part : bound_of(Collective::transpose, topology, full, bytes).parts)
      if (part.name == "work") return part.bytes;
    return Bytes{-1};
  };
  EXPECT_EQ(work("crossbar:4", 60), 2 * 60 / (4 + 2));
  EXPECT_EQ(work("crossbar:9", 120), 2 * 120 / (9 + 3));
  EXPECT_EQ(work("hamming:9", 120), 2 * 120 / (9 + 3));  // the same links, looked at one by one
  // What six ranks above the diagonal have leaves them over six links to ranks on it.
  EXPECT_EQ(work("mesh:4x4", 100), 100);
}

/// Time of the best algorithm over the bound.
double best_ratio(Collective c, const std::string& topology, Duplex duplex, Bytes bytes) {
  const Machine machine = testing::test_machine(Ports::all, duplex, Switching::store_and_forward);
  Machine plain = machine;
  plain.alpha = plain.per_hop = plain.rho = 0, plain.beta = 1;
  const Spec spec = request(c, topology, bytes);
  double best = HUGE_VAL;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != c || !a.illegal(spec, plain, {}).empty()) continue;
    for (const Params& params : a.variants(spec, plain))
      best = std::min(best, seconds(a.cost(spec, plain, params), plain, *spec.topology));
  }
  return best / lower_bound(spec, plain).time;
}

// The centre of a mesh has four links for its own block, which the corner with two links need not send.
TEST(Bound, OfUnequalSourcesChargesNoRankForAnothersBlock) {
  std::vector<std::pair<Rank, Bytes>> sources;
  for (Rank r = 0; r < 9; ++r) sources.emplace_back(r, r == 4 ? 1000000 : 1);
  Spec spec{.collective = Collective::multibcast, .topology = parse_topology("mesh:3x3")};
  spec.sources = make_sources(sources);
  spec = checked(spec);
  const auto port_bytes = [&](Duplex duplex) {
    const Bound bound = lower_bound(spec, testing::test_machine(Ports::all, duplex, Switching::store_and_forward));
    for (const Bound::Part& part : bound.parts)
      if (part.name == "port") return part.bytes;
    return Bytes{-1};
  };
  EXPECT_EQ(port_bytes(Duplex::full), 500004);  // 1000007 into a corner, which has two links
  EXPECT_EQ(port_bytes(Duplex::half), 500004);  // 1000008 in and out of any rank
}

TEST(Bound, IsMetForLongMessages) {
  using enum Collective;
  constexpr Bytes bytes = 5040;
  for (const char* topology : {"ring:7", "ring:8", "torus:5x5", "torus:6x6", "hypercube:4"}) {
    SCOPED_TRACE(topology);
    EXPECT_DOUBLE_EQ(best_ratio(allgather, topology, half, bytes), 1);
    EXPECT_DOUBLE_EQ(best_ratio(alltoall, topology, half, bytes), 1);
    EXPECT_DOUBLE_EQ(best_ratio(alltoall, topology, full, bytes), 1);
    EXPECT_DOUBLE_EQ(best_ratio(scatter, topology, half, bytes), 1);
    EXPECT_DOUBLE_EQ(best_ratio(gather, topology, half, bytes), 1);
  }
  for (const char* topology : {"ring:7", "ring:8", "hypercube:4"})
    EXPECT_NEAR(best_ratio(sendrecv, topology, half, bytes * 1000), 1, 1e-5);
  for (const char* topology : {"crossbar:4", "crossbar:9", "crossbar:25"})
    EXPECT_NEAR(best_ratio(transpose, topology, full, bytes * 1000), 1, 1e-4);
}

}  // namespace
}  // namespace quadrille::bound_test
