#include "machine/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "base/text.hpp"

namespace quadrille {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 cannot deduce it

template <class Word>
std::span<const Word> words();
template <>
std::span<const Ports> words() {
  static constexpr std::array all{Ports::one, Ports::all};
  return all;
}
template <>
std::span<const Duplex> words() {
  static constexpr std::array all{Duplex::half, Duplex::full, Duplex::node_half};
  return all;
}
template <>
std::span<const Switching> words() {
  static constexpr std::array all{Switching::store_and_forward, Switching::circuit, Switching::wormhole};
  return all;
}
template <>
std::span<const CircuitCost> words() {
  static constexpr std::array all{CircuitCost::average, CircuitCost::exact};
  return all;
}
template <>
std::span<const Honesty> words() {
  static constexpr std::array all{Honesty::text, Honesty::elsewhere, Honesty::recalled, Honesty::measured,
                                  Honesty::unit};
  return all;
}

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view accepted) {
  throw Error(Error::Kind::argument, fmt::format("{} {}: expected {}", what, quoted(text), accepted));
}

template <class Word>
Word read_word(std::string_view text, std::string_view what) {
  std::vector<std::string> names;
  for (const Word word : words<Word>()) {
    if (to_string(word) == text) return word;
    names.emplace_back(to_string(word));
  }
  refuse(what, text, join(names, " or "));
}

struct TimeUnit {
  std::string_view name;
  int exponent;  ///< the unit is 10^exponent seconds
};
constexpr std::array<TimeUnit, 5> time_units{{{"", 0}, {"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}}};

struct RateUnit {
  std::string_view name;
  double factor;
};
constexpr std::array<RateUnit, 7> rate_units{{{"B/s", 1},
                                              {"kB/s", 1e3},
                                              {"MB/s", 1e6},
                                              {"GB/s", 1e9},
                                              {"KiB/s", 1024.0},
                                              {"MiB/s", 1048576.0},
                                              {"GiB/s", 1073741824.0}}};

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
  const std::string text = fmt::format("{}e{}", digits, given + exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

constexpr std::string_view accepted_time =
    "a time from 0 to 1e9 s: seconds such as 2.5e-6, or with a unit s, ms, us, ns such as 95us";
constexpr std::string_view accepted_per_byte =
    "a time per byte from 0 to 1e9 s: seconds such as 1e-9, with a unit such as 0.4us/B, or a rate such as 12.5GB/s";

double read_time(std::string_view text, std::string_view what, bool per_byte) {
  const std::string_view accepted = per_byte ? accepted_per_byte : accepted_time;
  const std::string_view number = text.substr(0, number_end(text));
  std::string_view unit = trimmed(text.substr(number.size()));
  double value = std::nan("");
  const auto rate =
      std::find_if(rate_units.begin(), rate_units.end(), [&](const RateUnit& u) { return u.name == unit; });
  if (per_byte && rate != rate_units.end()) {
    value = 1 / (scaled(number, 0) * rate->factor);
  } else {
    if (per_byte && unit.ends_with("/B")) unit.remove_suffix(2);
    const auto time =
        std::find_if(time_units.begin(), time_units.end(), [&](const TimeUnit& u) { return u.name == unit; });
    if (time != time_units.end()) value = scaled(number, time->exponent);
  }
  if (!(value >= 0 && value <= largest_constant)) refuse(what, text, accepted);
  return value + 0.0;  // no negative zero
}

}  // namespace

const std::vector<MachineKey>& machine_keys() {
  static const std::vector<MachineKey> keys{{"ports", &Machine::ports},
                                            {"duplex", &Machine::duplex},
                                            {"switching", &Machine::switching},
                                            {"circuit", &Machine::circuit},
                                            {"multicast", &Machine::multicast},
                                            {"shared", &Machine::shared},
                                            {"alpha", TimeField{&Machine::alpha}},
                                            {"overhead_send", TimeField{&Machine::overhead_send}},
                                            {"overhead_receive", TimeField{&Machine::overhead_receive}},
                                            {"per_hop", TimeField{&Machine::per_hop}},
                                            {"beta", PerByteField{&Machine::beta}},
                                            {"gamma", PerByteField{&Machine::gamma}},
                                            {"rho", PerByteField{&Machine::rho}},
                                            {"barrier", TimeField{&Machine::barrier}},
                                            {"barrier_log2", TimeField{&Machine::barrier_log2}},
                                            {"eager_limit", BytesField{&Machine::eager_limit}},
                                            {"burst", TimeField{&Machine::burst}}};
  return keys;
}

const MachineKey* find_key(std::string_view name) {
  const auto& keys = machine_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const MachineKey& k) { return k.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

bool is_left_out(const MachineKey& key, const Machine& machine) {
  return may_be_missing(key) && write_value(machine, key) == write_value(Machine{}, key);
}

void read_value(Machine& machine, const MachineKey& key, std::string_view text, std::string_view what) {
  std::visit(
      Overloaded{[&](TimeField f) { machine.*f.member = read_time(text, what, false); },
                 [&](PerByteField f) { machine.*f.member = read_time(text, what, true); },
                 [&](BytesField f) { machine.*f.member = parse_bytes(text, what); },
                 [&](std::int64_t Machine::*f) { machine.*f = parse_integer(text, 1, std::int64_t{1} << 40, what); },
                 [&](bool Machine::*f) {
                   if (text != "true" && text != "false") refuse(what, text, "true or false");
                   machine.*f = text == "true";
                 },
                 [&]<class Word>(Word Machine::*f) { machine.*f = read_word<Word>(text, what); }},
      key.field);
}

std::string write_value(const Machine& machine, const MachineKey& key) {
  return std::visit(Overloaded{[&](TimeField f) { return fmt::format("{}", machine.*f.member); },
                               [&](PerByteField f) { return fmt::format("{}", machine.*f.member); },
                               [&](BytesField f) { return fmt::format("{}", machine.*f.member); },
                               [&](std::int64_t Machine::*f) { return fmt::format("{}", machine.*f); },
                               [&](bool Machine::*f) { return fmt::format("{}", machine.*f); },
                               [&](auto f) { return fmt::format("\"{}\"", to_string(machine.*f)); }},
                    key.field);
}

Honesty parse_honesty(std::string_view text, std::string_view what) { return read_word<Honesty>(text, what); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace quadrille
