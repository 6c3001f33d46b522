#include "machine/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/text.hpp"

namespace quadrille::machine {

namespace {

struct TimeUnit {
  std::string_view name;
  int exponent;  ///< the unit is 10^exponent seconds
};
/// The micro sign and the Greek letter mu are the same to people.
constexpr std::array<TimeUnit, 7> time_units{
    {{"", 0}, {"s", 0}, {"ms", -3}, {"us", -6}, {"\u00b5s", -6}, {"\u03bcs", -6}, {"ns", -9}}};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr std::array<Prefix, 9> prefixes{{{"", 1},
                                          {"k", 1e3},
                                          {"M", 1e6},
                                          {"G", 1e9},
                                          {"T", 1e12},
                                          {"Ki", 1024.0},
                                          {"Mi", 1048576.0},
                                          {"Gi", 1073741824.0},
                                          {"Ti", 1099511627776.0}}};

struct RateUnit {
  std::string_view name;
  double bits;
};
constexpr std::array<RateUnit, 6> rate_units{
    {{"B/s", 8}, {"Bps", 8}, {"bit/s", 1}, {"bits/s", 1}, {"b/s", 1}, {"bps", 1}}};

/// Bytes a second of a unit such as GB/s or Gbit/s.
std::optional<double> bytes_per_second(std::string_view unit) {
  for (const RateUnit& rate : rate_units) {
    if (!unit.ends_with(rate.name)) continue;
    const std::string_view front = unit.substr(0, unit.size() - rate.name.size());
    for (const Prefix& prefix : prefixes)
      if (prefix.name == front) return prefix.factor * rate.bits / 8;
  }
  return std::nullopt;
}

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return all;
}

/// Of a unit that is no unit here: why, where it is known what people mean by it. "" where it is not.
std::string ambiguity(std::string_view number, std::string_view unit) {
  const auto choose = [&](std::string_view prefix) {
    return fmt::format(" does not say bits or bytes; write {0}{1}bit/s or {0}{1}B/s; expected ", number, prefix);
  };
  const std::string small = lower(unit);
  for (const std::string_view prefix : {"k", "m", "g", "t"}) {
    const std::string letter = prefix == "k" ? "k" : std::string(1, static_cast<char>(prefix[0] - 'a' + 'A'));
    if (small == prefix) return choose(letter);
    for (const std::string_view rest : {"b", "b/s", "bps", "bit", "bit/s", "bits/s", "bits", "bytes/s", "byte/s"})
      if (small == fmt::format("{}{}", prefix, rest)) return choose(letter);
  }
  return {};
}

/// Where the number in front of a unit ends; no unit starts with an 'e'.
std::size_t number_end(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool sign = (c == '+' || c == '-') && (end == 0 || text[end - 1] == 'e' || text[end - 1] == 'E');
    const bool part = (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || sign;
    if (!part) break;
    ++end;
  }
  return end;
}

/// number * 10^exponent, rounded once: "0.394" and -6 give the double nearest to 0.000000394. NaN when not a number.
double scaled(std::string_view number, int exponent) {
  const auto e = number.find_first_of("eE");
  std::string_view digits = number.substr(0, e);
  int given = 0;
  if (e != std::string_view::npos) {
    std::string_view power = number.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), given);
    if (error != std::errc() || end != power.data() + power.size() || std::abs(given) > 1000) return std::nan("");
  }
  return base::to_double(fmt::format("{}e{}", digits, given + exponent)).value_or(std::nan(""));
}

double in_seconds(std::string_view number, std::string_view unit) {
  const auto time =
      std::find_if(time_units.begin(), time_units.end(), [&](const TimeUnit& u) { return u.name == unit; });
  return time == time_units.end() ? std::nan("") : scaled(number, time->exponent);
}

bool in_range(double value) { return value >= 0 && value <= largest_constant; }

struct Parts {
  std::string_view number, unit;
};
Parts parts_of(std::string_view text) {
  const std::string_view number = text.substr(0, number_end(text));
  return {number, trimmed(text.substr(number.size()))};
}

[[noreturn]] void refuse_quantity(std::string_view what, std::string_view text, std::string_view why) {
  throw Error(Error::Kind::argument, fmt::format("{} {}{}", what, base::quoted(text), why));
}

}  // namespace

Seconds read_seconds(std::string_view text, std::string_view what) {
  const Parts parts = parts_of(text);
  const double value = in_seconds(parts.number, parts.unit);
  if (!in_range(value))
    refuse_quantity(
        what, text,
        ": expected a time from 0 to 1e9 s: seconds such as 2.5e-6, or with a unit s, ms, us, ns such as 95us");
  return value + 0.0;  // no negative zero
}

double read_seconds_per_byte(std::string_view text, std::string_view what) {
  const Parts parts = parts_of(text);
  double value = std::nan("");
  if (const auto rate = bytes_per_second(parts.unit)) {
    value = 1 / (scaled(parts.number, 0) * *rate);
  } else {
    std::string_view unit = parts.unit;
    if (unit.ends_with("/B")) unit.remove_suffix(2);
    value = in_seconds(parts.number, unit);
  }
  if (in_range(value)) return value + 0.0;
  const bool plain = std::isnan(scaled(parts.number, 0)) || bytes_per_second(parts.unit);
  const std::string why = plain ? std::string() : ambiguity(parts.number, parts.unit);
  refuse_quantity(
      what, text,
      (why.empty() ? std::string(": expected ") : why) +
          "a time per byte from 0 to 1e9 s: seconds such as 1e-9, with a unit such as 0.4us/B, or a rate such as "
          "12.5GB/s or 100Gbit/s");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace quadrille::machine
