// Slices of TPUs by name: which torus or mesh they are, and which names mean nothing.
#include <gtest/gtest.h>

#include "quadrille/topology.hpp"

namespace quadrille::tpu_test {
namespace {

std::string complaint(const std::string& text) {
  try {
    return "it is " + parse_topology(text)->text();
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Tpu, SlicesAreTheTorusOrMeshOfTheirChips) {
  for (const auto& [name, network] :
       std::initializer_list<std::pair<const char*, const char*>>{{"tpu:v4:4x4x8", "torus:4x4x8"},
                                                                  {"tpu:v4-8", "mesh:2x2x1"},
                                                                  {"tpu:v4-64", "mesh:2x4x4"},
                                                                  {"tpu:v5p-512", "torus:4x8x8"},
                                                                  {"tpu:v5p:4x8x8", "torus:4x8x8"},
                                                                  {"tpu:v5p-12288", "torus:16x16x24"},
                                                                  {"tpu:v5e:4x8", "mesh:4x8"},
                                                                  {"tpu:v5e-256", "torus:16x16"},
                                                                  {"tpu:v5litepod-16", "mesh:4x4"},
                                                                  {"tpu:v6e-64", "mesh:8x8"},
                                                                  {"tpu:v5p:8x4x4", "torus:8x4x4"},
                                                                  {"tpu:v4:12x12x24", "torus:12x12x24"},
                                                                  {"tpu:v5p-32", "mesh:2x2x4"}})
    EXPECT_EQ(parse_topology(name)->text(), network) << name;
}

/// The side that is as long as a pod wraps round, the other does not.
TEST(Tpu, OneSideMayWrapRound) {
  const TopologyPtr half = parse_topology("tpu:v5e-128");
  EXPECT_EQ(half->text(), "tpu:v5e:8x16");
  EXPECT_EQ(parse_topology(half->text())->text(), half->text());
  EXPECT_EQ(half->ranks(), 128);
  EXPECT_EQ(half->wires(), 2 * (8 * 16 + 7 * 16));
  EXPECT_EQ(half->distance(0, 15), 1);      // along a row of 16
  EXPECT_EQ(half->distance(0, 7 * 16), 7);  // down a column of 8
  EXPECT_EQ(half->diameter(), 8 + 7);
}

TEST(Tpu, NamesThatMeanNothingAreRefused) {
  EXPECT_EQ(
      complaint("tpu:v9-8"),
      "topology tpu:'v9-8': expected a generation and a size: tpu:v4:4x4x8, tpu:v5p-512, tpu:v5e:4x8 or tpu:v6e-64");
  EXPECT_EQ(complaint("tpu:v5p-1536"),
            "topology tpu:'v5p-1536': no usual slice has 1536 TensorCores; expected its sides, such as tpu:v5p:4x4x8");
  EXPECT_EQ(complaint("tpu:v5e:3x4"),
            "topology tpu:'v5e:3x4': v5e has no such slice; expected one of 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16");
  EXPECT_EQ(complaint("tpu:v4:4x4x6"),
            "topology tpu:'v4:4x4x6': expected sides that are multiples of 4, or one of 2x2x1, 2x2x2, 2x2x4, 2x4x4");
  EXPECT_EQ(complaint("tpu:v4:16x16x24"), "topology tpu:'v4:16x16x24': 6144 chips; the largest slice of v4 has 4096");
  EXPECT_NE(complaint("tpu:v4:4x4x8_twisted").find("not documented"), std::string::npos);
  EXPECT_NE(complaint("tpu:v4:4x8").find("have 3 sides"), std::string::npos);
  EXPECT_NE(complaint("tpu:v4").find("expected a generation"), std::string::npos);
  EXPECT_NE(complaint("tpu:v4-x").find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::tpu_test
