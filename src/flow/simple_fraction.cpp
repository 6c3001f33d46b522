#include "flow/simple_fraction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace quadrille::flow {

Ratio simple_fraction(double number) {
  constexpr double near = 1e-9;
  constexpr std::int64_t most = std::int64_t{1} << 20;
  std::int64_t top = 1, bottom = 0, top_before = 0, bottom_before = 1;  // convergents of its continued fraction
  double rest = number;
  for (;;) {
    const double whole = std::floor(rest);
    if (!(whole * static_cast<double>(std::max(top, bottom)) < 1e15)) break;
    const auto digit = static_cast<std::int64_t>(whole);
    const std::int64_t next_top = digit * top + top_before, next_bottom = digit * bottom + bottom_before;
    if (next_bottom > most) break;
    top_before = top, bottom_before = bottom, top = next_top, bottom = next_bottom;
    if (std::abs(static_cast<double>(top) / static_cast<double>(bottom) - number) <= near || rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return bottom == 0 ? Ratio(0) : Ratio(top, bottom);
}

}  // namespace quadrille::flow
