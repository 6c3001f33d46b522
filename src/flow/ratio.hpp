// Exact fractions of whole numbers of 127 bits: times of networks, as they are before anything is rounded.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace quadrille::flow {

__extension__ using Wide = __int128;

/// In lowest terms, with a denominator above 0. Arithmetic throws Error(budget) where 127 bits do not suffice.
class Ratio {
 public:
  Ratio() = default;
  Ratio(Wide top, Wide bottom = 1);  // NOLINT: a whole number is a fraction

  Wide top() const { return top_; }
  Wide bottom() const { return bottom_; }
  double value() const { return static_cast<double>(top_) / static_cast<double>(bottom_); }
  Wide floor() const;
  Wide ceil() const;
  std::string text() const;  ///< "7/2", "4"

  Ratio operator+(const Ratio& other) const;
  Ratio operator*(const Ratio& other) const;
  Ratio operator/(const Ratio& other) const { return *this * Ratio(other.bottom_, other.top_); }
  bool operator==(const Ratio&) const = default;
  std::strong_ordering operator<=>(const Ratio& other) const;

 private:
  Wide top_ = 0, bottom_ = 1;
};

/// Of "7/2", "4"; throws Error(format) for anything else.
Ratio parse_ratio(std::string_view text);
std::string wide_text(Wide number);
Wide greatest_common_divisor(Wide a, Wide b);
/// a * b, a + b; throw Error(budget) beyond 127 bits.
Wide multiply(Wide a, Wide b);
Wide add(Wide a, Wide b);
/// As one of 63 bits; throws Error(budget) where it is none.
std::int64_t narrow(Wide number);

}  // namespace quadrille::flow
