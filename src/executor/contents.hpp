// What blocks consist of in a run: it follows from the seed and the block's name.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/hash.hpp"
#include "quadrille/base.hpp"

namespace quadrille::executor {

constexpr Bytes word_bytes = sizeof(std::uint64_t);

/// The contents of a block as 64-bit words. Every byte depends on the seed, the block's name and the place.
class Contents {
 public:
  Contents(std::uint64_t seed, Slot block)
      : key_(base::scrambled(base::scrambled(seed) + static_cast<std::uint64_t>(block))) {}
  std::uint64_t word(Bytes i) const { return base::scrambled(key_ + static_cast<std::uint64_t>(i) * base::golden); }

 private:
  std::uint64_t key_;
};

/// Calls use(place, word, bytes of it) from the first to the last, until one returns false.
template <class Use>
void each_word(const Contents& contents, Bytes bytes, Use use) {
  for (Bytes at = 0; at < bytes; at += word_bytes)
    if (!use(at, contents.word(at / word_bytes), static_cast<std::size_t>(std::min(word_bytes, bytes - at)))) return;
}

}  // namespace quadrille::executor
