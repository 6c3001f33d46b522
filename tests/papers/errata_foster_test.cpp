// What Foster prints about networks and does not hold. E-numbers are those of docs/reference/errata.md.
#include <gtest/gtest.h>

#include "base/integer.hpp"
#include "papers/foster.hpp"

namespace quadrille::errata_foster_test {
namespace {

TEST(Errata, E3_2_WrappingHalvesTheDiameterOfOddSidesOnly) {
  for (Rank n = 3; n <= 20; ++n) {
    const int mesh = papers::foster::network("mesh1", n)->diameter(),
              torus = papers::foster::network("torus1", n)->diameter();
    EXPECT_EQ(2 * torus == mesh, n % 2 == 1) << n;
  }
}

TEST(Errata, E3_3_TheBusIsBusyTwiceAsLong) {
  const papers::foster::Constants transfer{0, 1};
  const papers::foster::Difference d{.n = 64, .z = 3};
  const papers::foster::Butterfly b{.n = 4096};
  for (const Rank p : {2, 4, 8, 16}) {
    const TopologyPtr bus = papers::foster::network("bus", p);
    const double n = d.n, z = d.z, ranks = static_cast<double>(p);
    EXPECT_EQ(papers::foster::rounds_time(*bus, papers::foster::exchanges(p), d.words(), transfer), 4 * n * z * ranks);
    EXPECT_EQ(papers::foster::rounds_time(*bus, papers::foster::exchanges(p), d.words(), transfer, {.half_bus = true}),
              2 * n * z * ranks);
    EXPECT_EQ(papers::foster::rounds_time(*bus, {papers::foster::butterfly(p, 0)}, b.words(p), transfer), b.n);
    EXPECT_EQ(
        papers::foster::rounds_time(*bus, {papers::foster::butterfly(p, 0)}, b.words(p), transfer, {.half_bus = true}),
        b.n / 2);
  }
}

TEST(Errata, E3_4_TheHopsAreThoseOfAllProcessors) {
  for (Rank p = 2; p <= 64; p *= 2) {
    const TopologyPtr line = papers::foster::network("mesh1", p);
    EXPECT_EQ(papers::foster::hops(*line, papers::foster::butterflies(p)), p * (p - 1));
    for (Rank r = 0; r < p; ++r) {
      std::int64_t own = 0;
      for (int i = 0; base::bit(i) < p; ++i) own += line->distance(r, r ^ base::bit(i));
      EXPECT_EQ(own, p - 1) << r;
    }
  }
}

/// In units of N/P words, without start-ups. In the last step P/2 messages cross the middle each way, and all steps
/// before it have to end first: so much is certain, however the steps overlap elsewhere.
TEST(Errata, E3_5_TheLineNeedsMoreThanHalfAsManyUnitsAsRanks) {
  const papers::foster::Constants unit{0, 1};
  for (Rank p = 2; p <= 256; p *= 2) {
    const int steps = base::log2_floor(p);
    const papers::foster::Butterfly b{.n = static_cast<double>(p)};
    const auto last =
        papers::foster::competition(*papers::foster::network("mesh1", p), papers::foster::butterfly(p, steps - 1));
    EXPECT_EQ(last, p / 2);
    EXPECT_EQ(b.mesh_bound(p, unit), static_cast<double>(p / 2));
    EXPECT_EQ(b.mesh_dependent(p, unit), static_cast<double>(last + steps - 1));
    EXPECT_EQ(
        papers::foster::rounds_time(*papers::foster::network("mesh1", p), papers::foster::butterflies(p), 1, unit),
        p - 1);
    EXPECT_EQ(
        papers::foster::rounds_time(*papers::foster::network("hypercube", p), papers::foster::butterflies(p), 1, unit),
        steps);
    EXPECT_EQ(b.mesh_dependent(p, unit) > b.mesh_bound(p, unit), p >= 4);
    EXPECT_EQ(b.mesh_dependent(p, unit) == static_cast<double>(p - 1), p <= 4);
  }
}

TEST(Errata, E3_7_DistanceIsSwitchesAndOneInIndirectNetworksOnly) {
  for (const char* text : {"fly:2^3", "bifly:2^2", "bifly:3^2", "omega:4"}) {
    const TopologyPtr t = parse_topology(text);
    std::vector<Link> path;
    t->route(0, t->ranks() - 1, path);
    EXPECT_EQ(static_cast<int>(path.size()), t->distance(0, t->ranks() - 1)) << "one switch between wires: " << text;
    EXPECT_GE(t->distance(0, 1), 2) << "the nearest ranks meet in a switch: " << text;
  }
  const TopologyPtr figure = parse_topology("bifly:2^2");
  EXPECT_EQ(figure->distance(0, 2), 2);
  EXPECT_EQ(figure->distance(0, 4), 3);
  EXPECT_EQ(parse_topology("mesh:4x4")->distance(0, 1), 1);
}

TEST(Errata, E3_8_MeshWiresAreDirected) {
  for (const Rank side : {2, 3, 4, 8}) {
    const Rank connections = 2 * side * (side - 1);
    EXPECT_EQ(papers::foster::network("mesh2", side * side)->wires(), 2 * connections);
  }
}

}  // namespace
}  // namespace quadrille::errata_foster_test
