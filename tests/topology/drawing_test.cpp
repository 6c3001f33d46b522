// How networks are drawn: every vertex once, and levels, groups, boxes and nodes where they are.
#include "topology/graph/drawing.hpp"

#include <gtest/gtest.h>

#include <map>

namespace quadrille::drawing_test {
namespace {

using topology::Drawing;

void visit(const Drawing& part, std::map<std::int64_t, int>& vertices, std::vector<std::string>& frames) {
  if (part.vertex >= 0) ++vertices[part.vertex];
  if (!part.name.empty()) frames.push_back(part.name);
  for (const auto& row : part.rows)
    for (const Drawing& inner : row) visit(inner, vertices, frames);
}

std::vector<std::string> frames_of(const char* network) {
  std::map<std::int64_t, int> vertices;
  std::vector<std::string> frames;
  visit(parse_topology(network)->drawing(), vertices, frames);
  return frames;
}

TEST(Drawing, HasEveryVertexOnceOrIsLikeAnotherNetwork) {
  std::vector<std::string> networks{"torus:4x4!0-1", "fattree:4@0,1,5,9", "torus:2x2*3", "fattree:4~3", "star:4*2@0-6",
                                    "dgx-a100:3",    "dgx-h100:2",        "mi250:2",     "slimfly:5/2"};
  for (const TopologyFamily& f : topology_families())
    for (const std::string_view example : f.examples)
      if (f.name != "graph")
        networks.push_back(std::string(f.name) + (example.empty() ? "" : ":") + std::string(example));
  for (const std::string& network : networks) {
    const TopologyPtr t = parse_topology(network);
    const Drawing drawing = t->drawing();
    if (drawing.none()) {
      EXPECT_TRUE(t->direct() || !t->structure().routed) << network;  // by its structure, or ranks in a circle
      continue;
    }
    if (drawing.like != nullptr) {
      const Rank there = drawing.like->vertices(), in_places = drawing.per_node > 0 ? t->ranks() + there : there;
      EXPECT_TRUE(drawing.places.empty() ? in_places == t->vertices() : std::ssize(drawing.places) == t->vertices())
          << network;
      for (const std::int32_t place : drawing.places) EXPECT_TRUE(place >= 0 && place < there) << network;
      continue;
    }
    std::map<std::int64_t, int> vertices;
    std::vector<std::string> frames;
    visit(drawing, vertices, frames);
    EXPECT_EQ(std::ssize(vertices), t->vertices()) << network;
    for (const auto& [vertex, times] : vertices)
      EXPECT_TRUE(times == 1 && vertex < t->vertices()) << network << " " << vertex;
  }
}

TEST(Drawing, FramesPodsGroupsAndBoxes) {
  EXPECT_EQ(frames_of("fattree:4"), (std::vector<std::string>{"pod 0", "pod 1", "pod 2", "pod 3"}));
  EXPECT_EQ(frames_of("xgft:2;4,2;1,2"), (std::vector<std::string>{"leaf 0", "leaf 1"}));
  EXPECT_EQ(frames_of("dragonfly:2,2,1").size(), 3U);
  EXPECT_EQ(frames_of("mi250:2"), (std::vector<std::string>{"box 0", "box 1"}));
  EXPECT_TRUE(parse_topology("star:5")->drawing().ring);
}

/// The edge switch 17 of rank 2 is below both switches of its pod.
TEST(Drawing, PutsASwitchAboveItsOwnHosts) {
  const Drawing tree = parse_topology("fattree:4")->drawing();
  const Drawing& leaf = tree.rows.at(1).at(0).rows.at(1).at(1);
  EXPECT_EQ(leaf.rows.at(0).at(0).vertex, 17);
  EXPECT_EQ(leaf.rows.at(1).at(0).vertex, 2);
  EXPECT_EQ(leaf.rows.at(1).at(1).vertex, 3);
}

TEST(Drawing, OfWhatWasChangedIsThatOfBefore) {
  const Drawing failed = parse_topology("torus:4x4!0-1")->drawing();
  EXPECT_EQ(failed.like->text(), "torus:4x4");
  const Drawing without = parse_topology("fattree:4~0")->drawing();
  EXPECT_EQ(without.places.front(), 1);
  EXPECT_EQ(parse_topology("torus:4x4*2")->drawing().per_node, 2);
}

TEST(Drawing, IsNoneOfWhatCannotBeToldApart) {
  EXPECT_TRUE(parse_topology("fattree:32")->drawing().none());
  EXPECT_TRUE(parse_topology("torus:64x64*4")->drawing().none());
}

}  // namespace
}  // namespace quadrille::drawing_test
