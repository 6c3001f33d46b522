// The length s* at which one phase and two halves of it cost the same, and what it says about the number of phases.
#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithm/alltoall/shared/multiphase_grid.hpp"
#include "base/integer.hpp"

namespace quadrille {

std::string_view to_string(Regime regime) {
  return regime == Regime::direct ? "DE" : regime == Regime::standard ? "SE" : "s_star";
}

PhaseWindow phase_window(std::int64_t d, std::int64_t t) {
  const std::int64_t fewest = base::ceil_div(d, t);
  return {fewest, std::max(fewest, std::min(d, 2 * d / t))};
}

std::vector<std::int64_t> window_candidates(std::int64_t d, std::int64_t t) {
  const auto [fewest, most] = phase_window(d, t);
  std::vector<std::int64_t> ks{fewest, most};
  for (std::int64_t q = d / most; q <= base::ceil_div(d, fewest); ++q)
    for (const std::int64_t k : {d / q, base::ceil_div(d, q)})
      if (fewest <= k && k <= most) ks.push_back(k);
  std::sort(ks.begin(), ks.end());
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

namespace {

/// R against f(s) = 2^(d-s) + C / (2^(s/2) - 1)^2, all multiplied by the wire time of a block: nothing is divided by
/// it.
class Balance {
 public:
  Balance(const algorithm::alltoall::MultiphaseGrid& grid, Bytes bytes)
      : d_(grid.dimension()), message_(grid.message()), block_(grid.tau() * bytes), fixed_(grid.phase(0).at(bytes)) {}

  /// The sign of R - f(s) for whole s > 0, exactly: for odd s, where 2^(s/2) is irrational, equality means that both
  /// sides are 0.
  int sign(int s) const {
    if (s % 2 == 0) {
      const algorithm::alltoall::Wide root = base::bit(s / 2) - 1, left = root * root * message_,
                                      right = root * root * base::bit(d_ - s) * block_ + fixed_;
      return left < right ? -1 : left > right;
    }
    const algorithm::alltoall::Wide saved = message_ - base::bit(d_ - s) * block_;
    if (saved <= 0) return saved < 0 || fixed_ > 0 ? -1 : 0;
    const long double root = std::exp2(static_cast<long double>(s) / 2) - 1,
                      rest = root * root * number(saved) - number(fixed_);
    return rest < 0 ? -1 : rest > 0;
  }
  long double excess(long double s) const {
    const long double root = std::exp2(s / 2) - 1;
    return number(message_) - std::exp2(d_ - s) * number(block_) - number(fixed_) / (root * root);
  }
  double ratio() const { return over_block(number(message_), true); }
  double overhead() const { return over_block(number(fixed_), false); }

 private:
  static long double number(algorithm::alltoall::Wide x) { return static_cast<long double>(x); }
  double over_block(long double x, bool infinite_at_0) const {
    if (block_ > 0) return static_cast<double>(x / number(block_));
    return x > 0 || infinite_at_0 ? std::numeric_limits<double>::infinity() : 0;
  }
  int d_;
  algorithm::alltoall::Wide message_, block_, fixed_;
};

/// Where the excess, which rises, passes 0 between low and high.
double root(const Balance& balance, long double low, long double high) {
  for (int i = 0; i < 80; ++i) {
    const long double halfway = (low + high) / 2;
    (balance.excess(halfway) < 0 ? low : high) = halfway;
  }
  return static_cast<double>(high);
}

}  // namespace

SplitLength split_length(const MultiphaseModel& model, Bytes bytes) {
  MultiphaseModel average = model;
  average.circuit = CircuitCost::average;
  const algorithm::alltoall::MultiphaseGrid grid(average);
  grid.check(bytes);
  const int d = grid.dimension();
  const Balance balance(grid, bytes);
  SplitLength out;
  out.ratio = balance.ratio();
  out.overhead = balance.overhead();
  out.lower = 1 + out.overhead / std::pow(std::exp2(d / 2.0) - 1, 2);
  out.upper = std::exp2(d - 2) + out.overhead;
  out.s_hat = d - std::log2(out.ratio);
  if (d == 1 || balance.sign(d) < 0) return out;
  if (balance.sign(2) > 0) {
    out.regime = Regime::standard;
    out.window = {d, d};
    return out;
  }
  out.regime = Regime::between;
  int t = d;  // the smallest whole length that is not below s*
  while (t > 2 && balance.sign(t - 1) >= 0) --t;
  const bool whole = balance.sign(t) == 0;
  out.s_star = whole ? t : std::clamp<double>(root(balance, t - 1, t), t - 1, t);
  out.window = phase_window(d, t);
  return out;
}

}  // namespace quadrille
