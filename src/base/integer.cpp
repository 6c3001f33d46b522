#include "base/integer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace quadrille::base {

std::int64_t checked_multiply(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throw Error(Error::Kind::budget,
                fmt::format("{}: {} x {} exceeds 63 bits; try smaller blocks (--bytes) or fewer ranks", what, a, b));
  return result;
}

std::int64_t checked_add(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    throw Error(Error::Kind::budget,
                fmt::format("{}: {} + {} exceeds 63 bits; try smaller blocks (--bytes) or fewer ranks", what, a, b));
  return result;
}

std::int64_t nearest_root(std::int64_t n) { return std::llround(std::sqrt(static_cast<double>(n))); }

std::int64_t binomial(int n, int k) {
  if (k < 0 || k > n) return 0;
  std::int64_t result = 1;
  for (int i = 1; i <= k; ++i) result = checked_multiply(result, n - k + i, "binomial coefficient") / i;
  return result;
}

}  // namespace quadrille::base
