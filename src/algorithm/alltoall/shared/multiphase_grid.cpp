#include "algorithm/alltoall/shared/multiphase_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille::algorithm::alltoall {

namespace {

constexpr int decimals = 18;          // finest decimal unit tried: 1e-18 s
constexpr double largest = 1e12;      // seconds, or seconds per byte
constexpr int per_byte_bits = 53;     // with 2^62 bytes and 30 phases: 2^120
constexpr int per_message_bits = 80;  // with 2^30 messages, 30 hops each and 30 phases
constexpr int finest_bits = 200;      // 2^-200 s: below every constant that matters

void check_model(const MultiphaseModel& m) {
  if (m.dimension < 1 || m.dimension > 30)
    throw Error(Error::Kind::argument,
                fmt::format("multiphase exchange on a cube of {} dimensions: 1 .. 30 are accepted", m.dimension));
  const auto constant = [](const char* name, double value) {
    if (!(value >= 0 && value <= largest))
      throw Error(Error::Kind::argument,
                  fmt::format("multiphase model: {} = {} is not in 0 .. {:g}", name, value, largest));
  };
  constant("lambda", m.lambda);
  constant("tau", m.tau);
  constant("delta", m.delta);
  constant("delta_hop", m.delta_hop);
  constant("rho", m.rho);
  constant("barrier", m.barrier);
}

/// Whether `x` is a whole number but for the rounding of the double it was scaled from and of one operation on it.
bool whole(long double x) { return std::fabs(x - std::round(x)) <= x * 0x1p-51L; }

/// Units per second: the smallest power of ten that makes all constants whole, or else the largest power of two with
/// which no time overflows.
long double units_per_second(std::initializer_list<double> per_message, std::initializer_list<double> per_byte) {
  const auto fits = [](double x, int bits, long double scale) {
    return x * scale < std::ldexp(1.0L, bits) && whole(x * scale);
  };
  long double scale = 1;
  for (int k = 0; k <= decimals; ++k, scale *= 10) {
    bool good = true;
    for (const double x : per_message) good = good && fits(x, per_message_bits, scale);
    for (const double x : per_byte) good = good && fits(x, per_byte_bits, scale);
    if (good) return scale;
  }
  int bits = finest_bits;
  for (const double x : per_message)
    if (x > 0) bits = std::min(bits, per_message_bits - 1 - std::ilogb(x));
  for (const double x : per_byte)
    if (x > 0) bits = std::min(bits, per_byte_bits - 1 - std::ilogb(x));
  return std::ldexp(1.0L, bits);
}

}  // namespace

int compare_fractions(Wide a, Wide b, Wide c, Wide d) {
  const auto floor_div = [](Wide x, Wide y) { return x / y - (x % y < 0 ? 1 : 0); };
  for (int sign = 1;; sign = -sign) {
    const Wide p = floor_div(a, b), q = floor_div(c, d);
    if (p != q) return p < q ? -sign : sign;
    a -= p * b, c -= q * d;  // both rests are in [0, 1); compare their inverses the other way round
    if (a == 0 || c == 0) return a == c ? 0 : (a == 0 ? -sign : sign);
    std::swap(a, b);
    std::swap(c, d);
  }
}

MultiphaseGrid::MultiphaseGrid(const MultiphaseModel& m) : d_(m.dimension), charge_identity_(m.charge_identity) {
  check_model(m);
  const bool exact = m.circuit == CircuitCost::exact;
  const double delta = exact ? 0 : m.delta, hop = exact ? m.delta_hop : 0;
  per_second_ = units_per_second({m.lambda, delta, hop, m.barrier}, {m.tau, m.rho});
  const auto units = [&](double x) { return static_cast<Wide>(std::round(x * per_second_)); };
  message_ = units(m.lambda) + units(delta);
  hop_ = units(hop);
  tau_ = units(m.tau);
  rho_ = units(m.rho);
  barrier_ = units(m.barrier);
}

MultiphaseGrid::Line MultiphaseGrid::phase(std::int64_t n) const {
  const Wide partners = base::bit(static_cast<int>(n)), ranks = base::bit(d_);
  return {(partners - 1) * message_ + n * partners / 2 * hop_ + barrier_,
          (ranks - ranks / partners) * tau_ + identity_slope()};
}

MultiphaseGrid::Line MultiphaseGrid::partition(const Partition& phases) const {
  std::int64_t sum = 0;
  bool good = !phases.empty();
  for (const std::int64_t n : phases) good = good && n >= 1 && n <= d_, sum += good ? n : 0;
  if (!good || sum != d_)
    throw Error(Error::Kind::argument,
                fmt::format("phases ({}) of a cube of {} dimensions: lengths from 1 on that add up to {} are accepted",
                            base::join(phases, ","), d_, d_));
  Line total;
  for (const std::int64_t n : phases) {
    const Line one = phase(n);
    total.intercept += one.intercept, total.slope += one.slope;
  }
  if (phases.size() == 1 && !charge_identity_) total.slope -= identity_slope();
  return total;
}

Wide MultiphaseGrid::identity_slope() const { return base::bit(d_) * rho_; }

void MultiphaseGrid::check(Bytes bytes) const {
  if (bytes < 0 || bytes > base::bit(62 - d_))
    throw Error(Error::Kind::argument,
                fmt::format("blocks of {} bytes on a cube of {} dimensions: 0 .. {} are accepted", bytes, d_,
                            base::bit(62 - d_)));
}

}  // namespace quadrille::algorithm::alltoall
