// Integer helpers: rounding, bits, and arithmetic that refuses to overflow.
#pragma once

#include <bit>
#include <cstdint>

#include "quadrille/base.hpp"

namespace quadrille::base {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr bool is_power_of_two(std::int64_t x) { return x > 0 && std::has_single_bit(static_cast<std::uint64_t>(x)); }
constexpr int popcount(std::int64_t x) { return std::popcount(static_cast<std::uint64_t>(x)); }
constexpr int log2_floor(std::int64_t x) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))) - 1; }
/// Smallest n with 2^n >= x, for x >= 1.
constexpr int log2_ceil(std::int64_t x) {
  return x <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}
constexpr std::int64_t bit(int i) { return std::int64_t{1} << i; }
/// x modulo m, never negative.
constexpr std::int64_t wrap(std::int64_t x, std::int64_t m) { return ((x % m) + m) % m; }
/// The `width`-bit number x turned left by `by` bits, 0 <= by < width (or width == 0).
constexpr std::int64_t rotate_left(std::int64_t x, int by, int width) {
  return width == 0 || by == 0 ? x : ((x << by) | (x >> (width - by))) & (bit(width) - 1);
}
constexpr std::int64_t rotate_right(std::int64_t x, int by, int width) {
  return by == 0 ? x : rotate_left(x, width - by, width);
}

/// a*b or a+b; throws Error(budget) naming `what` when the result does not fit 63 bits.
std::int64_t checked_multiply(std::int64_t a, std::int64_t b, const char* what);
std::int64_t checked_add(std::int64_t a, std::int64_t b, const char* what);

/// The whole number nearest to the square root, for n below 2^52.
std::int64_t nearest_root(std::int64_t n);

/// C(n, k); throws Error(budget) beyond 63 bits.
std::int64_t binomial(int n, int k);

}  // namespace quadrille::base
