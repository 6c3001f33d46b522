// Byte ranges: neighbours and rhythms become one entry, and pairs of any shapes copy byte for byte.
#include "program/strided.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace quadrille::strided_test {
namespace {

std::vector<program::Extent> extents_of(const std::vector<std::pair<Bytes, Bytes>>& stretches) {
  std::vector<program::Extent> list;
  program::StridedBuilder<1> builder(list);
  for (const auto& [offset, length] : stretches) builder.add({Buffer::out}, {offset}, length);
  builder.finish();
  return list;
}

TEST(Strided, NeighboursBecomeOneAndRhythmsOneEntry) {
  EXPECT_EQ(extents_of({{0, 4}, {4, 4}, {8, 2}}), (std::vector<program::Extent>{{{Buffer::out}, {0}, {0}, 10, 1}}));
  EXPECT_EQ(extents_of({{0, 4}, {10, 4}, {20, 4}}), (std::vector<program::Extent>{{{Buffer::out}, {0}, {10}, 4, 3}}));
  EXPECT_EQ(extents_of({{0, 4}, {4, 4}, {20, 4}, {24, 4}, {40, 8}}),
            (std::vector<program::Extent>{{{Buffer::out}, {0}, {20}, 8, 3}}));
  EXPECT_EQ(extents_of({{0, 4}, {10, 4}, {20, 4}, {31, 4}}),
            (std::vector<program::Extent>{{{Buffer::out}, {0}, {10}, 4, 3}, {{Buffer::out}, {31}, {0}, 4, 1}}));
  EXPECT_EQ(extents_of({{5, 0}, {9, 0}}), std::vector<program::Extent>{});
}

TEST(Strided, PairsOfAnyShapesCopyByteForByte) {
  std::mt19937 random(5);
  const auto draw = [&](Bytes low, Bytes high) { return std::uniform_int_distribution<Bytes>(low, high)(random); };
  for (int trial = 0; trial < 500; ++trial) {
    // Both sides: the same number of bytes, cut at random places and spread with gaps.
    const Bytes total = draw(1, 60), most = draw(1, 9), widest = draw(0, 3);
    std::array<std::vector<std::pair<Bytes, Bytes>>, 2> sides;
    std::array<std::vector<Bytes>, 2> places;
    for (std::size_t s = 0; s < 2; ++s)
      for (Bytes used = 0, at = 0; used < total;) {
        const Bytes length = std::min(total - used, draw(0, 3) ? most : draw(1, most));
        sides[s].push_back({at, length});
        for (Bytes i = 0; i < length; ++i) places[s].push_back(at + i);
        used += length;
        at += length + widest * draw(0, 1);
      }
    std::vector<program::Copy> copies;
    program::pair_up(extents_of(sides[0]), extents_of(sides[1]), copies);
    std::array<std::byte, 300> from{}, to{}, expected{};
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 251 + 1);
    for (std::size_t i = 0; i < places[0].size(); ++i)
      expected[static_cast<std::size_t>(places[1][i])] = from[static_cast<std::size_t>(places[0][i])];
    program::perform(copies, {nullptr, from.data(), nullptr}, {nullptr, to.data(), nullptr});
    ASSERT_EQ(to, expected) << "trial " << trial;
    const Bytes piece = draw(1, 20);
    std::vector<program::Copy> pieces;
    for (const program::Copy& c : copies) program::cut_up(c, piece, pieces);
    for (const program::Copy& c : pieces) ASSERT_LE(c.length * c.count, piece);
    to.fill(std::byte{0});
    program::perform(pieces, {nullptr, from.data(), nullptr}, {nullptr, to.data(), nullptr});
    ASSERT_EQ(to, expected) << "trial " << trial;
  }
}

}  // namespace
}  // namespace quadrille::strided_test
