// The words of n bits up to turning: every class of turns (a necklace) by its smallest member.
#pragma once

#include <cstdint>

#include "base/integer.hpp"

namespace quadrille::algorithm::allgather {

/// The first `period` of `n` bits, repeated.
constexpr std::int64_t repeated(std::int64_t prefix, int period, int n) {
  int length = period;
  for (; 2 * length <= n; length *= 2) prefix |= prefix << length;
  return (prefix << (n - length)) | (prefix >> (2 * length - n));
}

/// Calls visit(smallest, period) for every necklace of n bits except 0, in increasing order; turning by `period` bits,
/// and no fewer, gives the same word. Duval's algorithm: work proportional to the number of necklaces, about 2^n / n.
template <class Visit>
void each_necklace(int n, Visit visit) {
  std::int64_t word = 0;
  while (word != base::bit(n) - 1) {
    const int ones = std::countr_one(static_cast<std::uint64_t>(word));
    const int period = n - ones;
    word = repeated((word >> ones) | 1, period, n);
    if (n % period == 0) visit(word, period);
  }
}

}  // namespace quadrille::algorithm::allgather
