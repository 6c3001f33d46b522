#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace quadrille::base {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string join(const std::vector<std::int64_t>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string with_article(std::string_view noun) {
  const std::size_t digits = std::min(noun.find_first_not_of("0123456789"), noun.size());
  const std::string_view number = noun.substr(0, digits);
  // Eight, eighty-one, eight hundred; eleven and eighteen, also of thousands.
  const bool teen = (number.starts_with("11") || number.starts_with("18")) && digits % 3 == 2;
  const bool vowel = noun.find_first_of("aeiouAEIO") == 0 || number.starts_with("8") || teen;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string quoted(std::string_view text, std::size_t limit) {
  std::string clean;
  for (const char c : text.substr(0, limit)) clean += c >= 32 && c < 127 ? c : '?';
  return "'" + clean + (text.size() > limit ? "...'" : "'");
}

std::int64_t parse_integer(std::string_view text, std::int64_t low, std::int64_t high, std::string_view what) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  if (!whole || value < low || value > high)
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: expected a whole number from {} to {}", what, quoted(text), low, high));
  return value;
}

std::optional<double> to_double(std::string_view text) {
  double value = 0;
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
#else  // A libc++ without it. Its programs are alone in a web page, where no locale writes a comma for the point.
  if (text.empty() || text.front() == '+' || text.find_first_not_of("0123456789.+-eE") < text.size()) return {};
  const std::string whole(text);
  char* end = nullptr;
  value = std::strtod(whole.c_str(), &end);
  const bool nothing = value == 0 && text.substr(0, text.find_first_of("eE")).find_first_of("123456789") < text.size();
  if (end != whole.c_str() + whole.size() || std::isinf(value) || nothing) return {};
#endif
  return value;
}

double parse_number(std::string_view text, std::string_view what) {
  const double value = to_double(text).value_or(std::nan(""));
  if (!std::isfinite(value))
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: expected a finite number such as 2.5e-6", what, quoted(text)));
  return value;
}

namespace {

struct ByteUnit {
  std::string_view name;
  double factor;
};
constexpr std::array<ByteUnit, 16> byte_units{{{"", 1},
                                               {"B", 1},
                                               {"KiB", 1024.0},
                                               {"MiB", 1048576.0},
                                               {"GiB", 1073741824.0},
                                               {"TiB", 1099511627776.0},
                                               {"PiB", 1125899906842624.0},
                                               {"EiB", 1152921504606846976.0},
                                               {"kB", 1e3},
                                               {"KB", 1e3},
                                               {"MB", 1e6},
                                               {"GB", 1e9},
                                               {"TB", 1e12},
                                               {"PB", 1e15},
                                               {"EB", 1e18},
                                               {"K", 1024.0}}};

}  // namespace

Bytes parse_bytes(std::string_view text, std::string_view what) {
  auto digits_end = std::min(text.find_first_not_of("0123456789.+-eE"), text.size());
  if (digits_end > 0 && digits_end < text.size() && text[digits_end - 1] == 'E') --digits_end;  // "2EiB", not "2E"
  const std::string_view number = text.substr(0, digits_end);
  std::string_view unit = text.substr(digits_end);
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  const auto refuse = [&](std::string_view why) {
    return Error(Error::Kind::argument, fmt::format("{} {}: {}; expected a size such as 0, 4096, 4KiB, 1.5MiB or 64kB",
                                                    what, quoted(text), why));
  };
  const auto found =
      std::find_if(byte_units.begin(), byte_units.end(), [&](const ByteUnit& u) { return u.name == unit; });
  if (found == byte_units.end()) throw refuse("unknown unit");
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), whole);
  constexpr double limit = 4611686018427387904.0;  // 2^62
  if (error == std::errc::result_out_of_range) throw refuse("larger than 2^62 bytes");
  if (error == std::errc() && end == number.data() + number.size() && !number.empty()) {
    if (whole < 0) throw refuse("negative");
    const auto factor = static_cast<std::int64_t>(found->factor);
    if (whole > (std::int64_t{1} << 62) / factor) throw refuse("larger than 2^62 bytes");
    return whole * factor;
  }
  const auto given = to_double(number);
  if (!given) throw refuse("not a number");
  const double value = *given * found->factor;
  if (!(value >= 0)) throw refuse("negative");
  if (value > limit) throw refuse("larger than 2^62 bytes");
  if (value != std::floor(value)) throw refuse("not a whole number of bytes");
  return static_cast<Bytes>(value);
}

std::string format_bytes(Bytes bytes) {
  constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t u = 0;
  while (value >= 1024 && u + 1 < units.size()) value /= 1024, ++u;
  if (value == std::floor(value)) return fmt::format("{:.0f} {}", value, units[u]);
  if (u == 0 && bytes % 1024 != 0 && bytes < 10000) return fmt::format("{} B", bytes);
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, units[u]);
}

std::string format_seconds(Seconds time) {
  if (!std::isfinite(time)) return "infinite";
  constexpr Seconds rounding = 1e-18;  // what differences of equal times leave
  if (std::abs(time) < rounding) return "0 s";
  constexpr Seconds year = 31'557'600;
  if (time >= year) return fmt::format("{:.3g} years", time / year);
  if (time >= 120) {
    const auto whole = static_cast<std::int64_t>(std::llround(time));
    if (whole >= 7200) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  struct Unit {
    double size;
    std::string_view name;
  };
  constexpr std::array<Unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  for (const Unit& u : units) {
    const double value = time / u.size;
    if (value < 0.9995) continue;
    return fmt::format("{:.{}f} {}", value, value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0, u.name);
  }
  return fmt::format("{:.3g} ns", time / 1e-9);
}

std::string format_count(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::string sign = n < 0 ? "-" : "";
  digits.erase(0, sign.size());
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return sign + digits;
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return "inf";
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

void unknown_name(std::string_view what, std::string_view text, std::string_view kind, std::vector<std::string> known) {
  std::sort(known.begin(), known.end());
  std::string hint;
  std::size_t best = 4;
  for (const std::string& name : known) {
    const std::string_view word = std::string_view(name).substr(0, name.find(':'));  // of "torus:AxBxC" the first part
    const std::size_t distance = edit_distance(text.substr(0, 60), word);
    if (distance < best && distance < word.size()) best = distance, hint = fmt::format("did you mean '{}'? ", word);
  }
  throw Error(Error::Kind::argument,
              fmt::format("{} {}: unknown {}; {}known: {}", what, quoted(text), kind, hint, join(known, ", ")));
}

}  // namespace quadrille::base
