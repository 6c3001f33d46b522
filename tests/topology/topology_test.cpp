// Networks worked out by hand: names, routes, what is refused; and the diameters and wires that Foster states.
#include "quadrille/topology.hpp"

#include <gtest/gtest.h>

#include <set>

#include "route.hpp"

namespace quadrille::topology_test {
namespace {

using testing::route;

/// Foster 1995, section 3.7: diameters and directed wires.
TEST(Topology, KnowsThePapersNames) {
  EXPECT_EQ(parse_topology("switch:12")->text(), "crossbar:12");
  EXPECT_EQ(parse_topology("shared-memory:9")->text(), "memory:9");
  EXPECT_THROW(parse_topology("switch:0"), Error);
}

TEST(Topology, HasTheDiametersAndWiresOfTheBook) {
  const auto expect = [](const std::string& text, std::int64_t diameter, std::int64_t wires) {
    const TopologyPtr t = parse_topology(text);
    EXPECT_EQ(t->diameter(), diameter) << text;
    EXPECT_EQ(t->wires(), wires) << text;
  };
  for (const Rank s : {2, 3, 4, 10}) {
    const std::string a = std::to_string(s);
    expect("mesh:" + a, s - 1, 2 * (s - 1));
    expect("mesh:" + a + "x" + a, 2 * (s - 1), 4 * s * (s - 1));
    expect("mesh:" + a + "x" + a + "x" + a, 3 * (s - 1), 6 * s * s * (s - 1));
    expect("torus:" + a + "x" + a, 2 * (s / 2), s == 2 ? 8 : 4 * s * s);
  }
  expect("hypercube:6", 6, 6 * 64);
  expect("fly:4^2", 3, 48);
  expect("bifly:2^3", 6, 64);
  EXPECT_EQ(parse_topology("fly:2^3")->structure().stages->switches(), 12);
  EXPECT_EQ(parse_topology("bifly:4^2")->structure().stages->switches(), 8);
}

TEST(Topology, RoutesGridsAxisByAxisTheLastFirst) {
  const auto names = [](const std::string& text, Rank from, Rank to) {
    const TopologyPtr t = parse_topology(text);
    std::string all;
    for (const Link link : route(*t, from, to)) all += t->name(link) + " ";
    return all;
  };
  EXPECT_EQ(names("mesh:4x4", 1, 14), "1->2 2->6 6->10 10->14 ");
  EXPECT_EQ(names("torus:4x4", 0, 10), "0->1 1->2 2->6 6->10 ") << "half way goes up";
  EXPECT_EQ(names("torus:5x5", 0, 18), "0->4 4->3 3->23 23->18 ");
  EXPECT_EQ(names("torus:2x3", 4, 0), "4->3 3->0 ");
  EXPECT_EQ(names("bus:4", 1, 2), "the bus ");
  EXPECT_EQ(names("memory:4", 1, 2), "write of 1 read of 2 ");
  EXPECT_EQ(names("omega:3", 5, 2), "level 0 wire 5 level 1 wire 2 level 2 wire 5 level 3 wire 2 ");
  EXPECT_EQ(names("fly:2^3", 5, 2), "level 0 wire 5 level 1 wire 1 level 2 wire 3 level 3 wire 2 ");
  EXPECT_EQ(names("bifly:2^2", 0, 3),
            "level 0 wire 0 forward level 1 wire 2 forward level 1 wire 3 back level 0 wire 3 back ");
  EXPECT_EQ(names("bifly:2^2", 0, 2), "level 0 wire 0 forward level 0 wire 2 back ");
  EXPECT_EQ(names("bifly:2^2", 4, 5), "level 2 wire 0 back level 2 wire 1 forward ");
  EXPECT_EQ(names("bifly:2^2", 4, 3), "level 2 wire 0 back level 1 wire 1 back level 0 wire 3 back ");
}

/// All cyclic shifts, all exclusive ors pass an Omega network at once; bit reversal does not.
TEST(Topology, OmegaPassesShiftsAndExclusiveOrsButNotBitReversal) {
  for (int n = 1; n <= 6; ++n) {
    const TopologyPtr t = parse_topology("omega:" + std::to_string(n));
    const auto passes = [&](const auto& target) {
      std::set<Link> used;
      for (Rank r = 0; r < t->ranks(); ++r)
        for (const Link link : route(*t, r, target(r)))
          if (!used.insert(link).second) return false;
      return true;
    };
    for (Rank k = 0; k < t->ranks(); ++k) {
      EXPECT_TRUE(passes([&](Rank r) { return (r + k) % t->ranks(); })) << n << " shifted by " << k;
      EXPECT_TRUE(passes([&](Rank r) { return r ^ k; })) << n << " xor " << k;
    }
    const auto reversed = [&](Rank r) {
      Rank to = 0;
      for (int i = 0; i < n; ++i) to |= (r >> i & 1) << (n - 1 - i);
      return to;
    };
    EXPECT_EQ(passes(reversed), n <= 3) << n << ": ranks that are their own mirror image send nothing";
  }
}

TEST(Topology, RefusesBadSizesInOneLine) {
  for (const std::string text : {"mesh:",
                                 "mesh:0",
                                 "mesh:4x",
                                 "mesh:x4",
                                 "mesh:4xx4",
                                 "mesh:4x-1",
                                 "mesh:4 x4",
                                 "mesh:4X4",
                                 "mesh:32768x32769",
                                 "mesh:1073741824x1073741824x1073741824",
                                 "mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2",
                                 "mesh:9223372036854775808",
                                 "torus:0x4",
                                 "torus:1073741825",
                                 "bus:0",
                                 "bus:2^3",
                                 "ethernet:",
                                 "memory:0",
                                 "omega:0",
                                 "omega:31",
                                 "fly:",
                                 "fly:2",
                                 "fly:2^",
                                 "fly:^2",
                                 "fly:1^3",
                                 "fly:2^0",
                                 "fly:2^31",
                                 "fly:2^40",
                                 "fly:1024^4",
                                 "fly:2^3^2",
                                 "bifly:2^30",
                                 "bifly:1073741824^1",
                                 "bifly:-2^2"}) {
    try {
      parse_topology(text);
      ADD_FAILURE() << text << " is accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::argument) << text;
      EXPECT_NE(std::string(e.what()).find("expected"), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    }
  }
  for (const std::string text : {"mesh:1073741824", "torus:32768x32768", "mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2",
                                 "fly:2^30", "fly:1073741824^1", "bifly:2^29", "bus:1073741824", "omega:30"})
    EXPECT_EQ(parse_topology(text)->text(), text);
}

}  // namespace
}  // namespace quadrille::topology_test
