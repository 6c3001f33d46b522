#include "formats/svg_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace quadrille::formats {

namespace {

/// The smallest of 1, 2, 5 times a power of ten that is not below `rough`.
double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::string number(double value, double step) {
  if (std::fabs(value) >= 1e7 || step < 1e-4) return fmt::format("{:g}", std::fabs(value) < step / 2 ? 0.0 : value);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  if (decimals == 0 && std::fabs(value) >= 10000) return base::format_count(std::llround(value));
  return fmt::format("{:.{}f}", std::fabs(value) < step / 2 ? 0.0 : value, decimals);
}

std::string power_label(int exponent, bool binary) {
  if (!binary)
    return exponent >= -3 && exponent <= 6 ? number(std::pow(10.0, exponent), std::pow(10.0, exponent))
                                           : fmt::format("1e{}", exponent);
  if (exponent < 0 || exponent >= 70) return fmt::format("2^{}", exponent);
  constexpr std::string_view units[] = {"", " Ki", " Mi", " Gi", " Ti", " Pi", " Ei"};
  return fmt::format("{}{}", 1 << exponent % 10, units[exponent / 10]);
}

}  // namespace

SvgAxis::SvgAxis(const Chart::Axis& axis, const std::vector<double>& values, double first, double last, int most)
    : scale_(axis.scale), first_(first), last_(last) {
  bool found = false;
  for (const double v : values) {
    if (!drawable(v)) continue;
    low_ = found ? std::min(low_, v) : v;
    high_ = found ? std::max(high_, v) : v;
    found = true;
  }
  if (!found) low_ = 1, high_ = 10;
  if (axis.low && drawable(*axis.low)) low_ = *axis.low;
  if (axis.high && drawable(*axis.high)) high_ = *axis.high;
  if (scale_ == Chart::Scale::linear)
    linear_ticks(axis, std::max(1, most));
  else
    log_ticks(axis, std::max(1, most));
}

bool SvgAxis::drawable(double value) const {
  return std::fabs(value) < 1e300 && (scale_ == Chart::Scale::linear || value > 0);
}

double SvgAxis::place(double value) const { return scale_ == Chart::Scale::linear ? value : std::log2(value); }

double SvgAxis::pixel(double value) const {
  return first_ + (place(value) - place(low_)) / (place(high_) - place(low_)) * (last_ - first_);
}

void SvgAxis::linear_ticks(const Chart::Axis& axis, int most) {
  const double size = std::max(std::fabs(low_), std::fabs(high_));
  if (!(high_ - low_ > 1e-9 * size)) high_ = low_ + std::max(1.0, size);  // else ticks would be closer than doubles
  const double step = nice_step((high_ - low_) / most);
  if (!axis.low) low_ = std::floor(low_ / step + 1e-9) * step;
  if (!axis.high) high_ = std::ceil(high_ / step - 1e-9) * step;
  for (double i = std::ceil(low_ / step - 1e-9); i * step <= high_ + 1e-9 * step; ++i)
    ticks_.push_back({i * step, number(i * step, step)});
}

void SvgAxis::log_ticks(const Chart::Axis& axis, int most) {
  const bool binary = scale_ == Chart::Scale::log2;
  const double base = binary ? 2 : 10;
  const auto exponent = [&](double x) { return binary ? std::log2(x) : std::log10(x); };
  const int from = static_cast<int>(std::floor(exponent(low_) + 1e-9));
  const int to = std::max(from + 1, static_cast<int>(std::ceil(exponent(high_) - 1e-9)));
  if (!axis.low) low_ = std::pow(base, from);
  if (!axis.high || !(high_ > low_)) high_ = std::pow(base, to);
  const int every = std::max(1, (to - from + most - 1) / most);
  for (int e = from; e <= to; ++e) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(base, e);
      if (value < low_ * (1 - 1e-9) || value > high_ * (1 + 1e-9)) continue;
      if (factor == 1 && (e - from) % every == 0) ticks_.push_back({value, power_label(e, binary)});
      if (factor > 1 && !binary && 3 * (to - from) <= most) ticks_.push_back({value, number(value, std::pow(10.0, e))});
    }
  }
}

}  // namespace quadrille::formats
