// The hash function: what stands in files and seeds must stay, and what ranks compare must tell sequences apart.
#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace quadrille::base {
namespace {

TEST(Hash, IsSplitmix64) {  // the first numbers of its reference code from seed 0
  EXPECT_EQ(mixed(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mixed(golden), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(mixed(2 * golden), 0x06c45d188009454fu);
}

TEST(Hash, EveryBitMovesAboutHalfOfAllBits) {
  for (int bit = 0; bit < 64; ++bit) {
    const int moved = std::popcount(mixed(12345) ^ mixed(12345 ^ std::uint64_t{1} << bit));
    EXPECT_GT(moved, 16) << bit;
    EXPECT_LT(moved, 48) << bit;
  }
}

TEST(Hash, OfSequencesDependsOnOrderAndLength) {
  const std::set<std::uint64_t> all{hash_of(),     hash_of(0),    hash_of(0, 0),   hash_of(1),
                                    hash_of(1, 2), hash_of(2, 1), hash_of(1, 2, 0)};
  EXPECT_EQ(all.size(), 7u);
  EXPECT_EQ(hash_of(1, 2), hash_of(1L, 2L));
}

/// As ranks add up what each gives to another: small numbers in three places.
TEST(Hash, OfSmallNumbersAreDifferent) {
  std::set<std::uint64_t> all;
  for (int a = 0; a < 30; ++a)
    for (int b = 0; b < 30; ++b)
      for (int c = 0; c < 30; ++c) all.insert(hash_of(a, b, c));
  EXPECT_EQ(all.size(), 27000u);
}

}  // namespace
}  // namespace quadrille::base
