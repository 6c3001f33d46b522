#include "flow/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "quadrille/base.hpp"

namespace quadrille::flow {

namespace {

[[noreturn]] void too_large() {
  throw Error(
      Error::Kind::budget,
      "an exact time of this network needs numbers beyond 127 bits; give capacities as multiples of a larger unit");
}

Wide floor_of(Wide top, Wide bottom) { return top / bottom - (top % bottom < 0 ? 1 : 0); }

/// Of positive numbers, by continued fractions: products of 127 bits would not fit.
std::strong_ordering compare(Wide a, Wide b, Wide c, Wide d) {
  for (bool turned = false;; turned = !turned) {
    const Wide x = floor_of(a, b), y = floor_of(c, d);
    if (x != y) return (x < y) != turned ? std::strong_ordering::less : std::strong_ordering::greater;
    a -= x * b, c -= y * d;
    if (a == 0 && c == 0) return std::strong_ordering::equal;
    if (a == 0 || c == 0) return (a == 0) != turned ? std::strong_ordering::less : std::strong_ordering::greater;
    std::swap(a, b), std::swap(c, d);
  }
}

}  // namespace

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

Wide multiply(Wide a, Wide b) {
  Wide product = 0;
  if (__builtin_mul_overflow(a, b, &product)) too_large();
  return product;
}

Wide add(Wide a, Wide b) {
  Wide sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) too_large();
  return sum;
}

std::int64_t narrow(Wide number) {
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  if (number > most || number < -most) too_large();
  return static_cast<std::int64_t>(number);
}

Ratio::Ratio(Wide top, Wide bottom) : top_(top), bottom_(bottom) {
  if (bottom == 0) throw Error(Error::Kind::internal, "a fraction with denominator 0");
  if (bottom < 0) top_ = -top_, bottom_ = -bottom_;
  const Wide common = greatest_common_divisor(top_, bottom_);
  top_ /= common, bottom_ /= common;
}

Wide Ratio::floor() const { return floor_of(top_, bottom_); }
Wide Ratio::ceil() const { return -floor_of(-top_, bottom_); }

std::string wide_text(Wide number) {
  std::string digits;
  for (Wide rest = number; rest != 0 || digits.empty(); rest /= 10) {
    const auto digit = static_cast<int>(rest % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (number < 0) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

std::string Ratio::text() const { return wide_text(top_) + (bottom_ == 1 ? "" : "/" + wide_text(bottom_)); }

Ratio Ratio::operator+(const Ratio& other) const {
  const Wide common = greatest_common_divisor(bottom_, other.bottom_);
  const Wide top = add(multiply(top_, other.bottom_ / common), multiply(other.top_, bottom_ / common));
  return {top, multiply(bottom_, other.bottom_ / common)};
}

Ratio Ratio::operator*(const Ratio& other) const {
  const Ratio left(top_, other.bottom_), right(other.top_, bottom_);  // cancelled before products can be too large
  return {multiply(left.top_, right.top_), multiply(left.bottom_, right.bottom_)};
}

std::strong_ordering Ratio::operator<=>(const Ratio& other) const {
  return compare(top_, bottom_, other.top_, other.bottom_);
}

Ratio parse_ratio(std::string_view text) {
  const auto number = [&](std::string_view digits) {
    Wide value = 0;
    const bool fits = !digits.empty() && digits.size() <= 36;
    if (!fits || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
      throw Error(Error::Kind::format, fmt::format("{}: expected a fraction such as 7/2, or a whole number", text));
    for (const char c : digits) value = 10 * value + (c - '0');
    return value;
  };
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return number(text);
  const Wide bottom = number(text.substr(slash + 1));
  if (bottom == 0) throw Error(Error::Kind::format, fmt::format("{}: the denominator must not be 0", text));
  return {number(text.substr(0, slash)), bottom};
}

}  // namespace quadrille::flow
