#include "topology/file/amount.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "base/text.hpp"

namespace quadrille::topology {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};
constexpr std::array<Unit, 9> prefixes{{{"", 1},
                                        {"k", 1'000},
                                        {"M", 1'000'000},
                                        {"G", 1'000'000'000},
                                        {"T", 1'000'000'000'000},
                                        {"Ki", std::int64_t{1} << 10},
                                        {"Mi", std::int64_t{1} << 20},
                                        {"Gi", std::int64_t{1} << 30},
                                        {"Ti", std::int64_t{1} << 40}}};
constexpr std::array<Unit, 6> rates{{{"B/s", 8}, {"Bps", 8}, {"bit/s", 1}, {"bits/s", 1}, {"b/s", 1}, {"bps", 1}}};
struct TimeUnit {
  std::string_view name;
  int exponent;
};
constexpr std::array<TimeUnit, 6> time_units{
    {{"s", 0}, {"ms", -3}, {"us", -6}, {"\u00b5s", -6}, {"\u03bcs", -6}, {"ns", -9}}};

/// digits * 10^exponent, and what stands behind it.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
  std::string_view rest;
};

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal d;
  std::size_t i = 0, seen = 0;
  bool point = false;
  for (; i < text.size() && (digit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    if (++seen > 18) return std::nullopt;
    d.digits = 10 * d.digits + (text[i] - '0');
    d.exponent -= point;
  }
  if (seen == 0) return std::nullopt;
  if (i + 1 < text.size() && text[i] == 'e' && (digit(text[i + 1]) || text[i + 1] == '-')) {
    int power = 0;
    const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + text.size(), power);
    if (error != std::errc() || power < -30 || power > 30) return std::nullopt;
    d.exponent += power;
    i = static_cast<std::size_t>(end - text.data());
  }
  d.rest = text.substr(i);
  return d;
}

std::optional<std::int64_t> bits_of(std::string_view unit) {
  for (const Unit& rate : rates)
    if (unit.ends_with(rate.name))
      for (const Unit& prefix : prefixes)
        if (prefix.name == unit.substr(0, unit.size() - rate.name.size())) return prefix.factor * rate.factor;
  return std::nullopt;
}

/// Empty when a power below zero leaves a rest, or the product passes 10^30.
std::optional<Exact> scaled(Exact value, int exponent) {
  Exact most = 1;
  for (int i = 0; i < 30; ++i) most *= 10;
  for (; exponent > 0 && value != 0; --exponent) {
    if (value > most / 10) return std::nullopt;
    value *= 10;
  }
  for (; exponent < 0; ++exponent) {
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return value;
}

}  // namespace

std::optional<Amount> read_amount(std::string_view text) {
  const auto decimal = read_decimal(text);
  if (!decimal) return std::nullopt;
  Amount amount{.is_rate = !decimal->rest.empty()};
  std::int64_t factor = 1;
  if (amount.is_rate) {
    const auto bits = bits_of(decimal->rest);
    if (!bits) return std::nullopt;
    factor = *bits;
  }
  const auto exact = scaled(Exact{decimal->digits} * factor, decimal->exponent + 6);
  if (!exact) return std::nullopt;
  amount.millionths = *exact;
  return amount;
}

bool looks_like_latency(std::string_view text) {
  const auto decimal = read_decimal(text);
  if (!decimal) return false;
  for (const TimeUnit& unit : time_units)
    if (decimal->rest == unit.name) return true;
  return false;
}

std::optional<Seconds> read_latency(std::string_view text) {
  const auto decimal = read_decimal(text);
  if (!decimal || (decimal->rest.empty() && decimal->digits != 0)) return std::nullopt;
  for (const TimeUnit& unit : time_units) {
    if (!decimal->rest.empty() && decimal->rest != unit.name) continue;
    const std::string number = fmt::format("{}e{}", decimal->digits, decimal->exponent + unit.exponent);
    const double seconds = base::to_double(number).value_or(0);
    return seconds <= 1e9 ? std::optional(seconds) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace quadrille::topology
