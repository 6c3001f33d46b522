// Values of a machine's constants, to and from the texts of files, JSON and tables.
#include <fmt/format.h>

#include <array>
#include <span>

#include "base/text.hpp"
#include "machine/keys.hpp"

namespace quadrille::machine {

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
  throw Error(Error::Kind::argument, fmt::format("{} {}: expected {}", what, base::quoted(text), accepted));
}

template <class Word>
Word read_word(std::string_view text, std::string_view what) {
  std::vector<std::string> names;
  for (const Word word : words<Word>()) {
    if (to_string(word) == text) return word;
    names.emplace_back(to_string(word));
  }
  refuse(what, text, base::join(names, " or "));
}

}  // namespace

void read_value(Machine& machine, const MachineKey& key, std::string_view text, std::string_view what) {
  std::visit(Overloaded{[&](TimeField f) { machine.*f.member = read_seconds(text, what); },
                        [&](PerByteField f) { machine.*f.member = read_seconds_per_byte(text, what); },
                        [&](BytesField f) { machine.*f.member = base::parse_bytes(text, what); },
                        [&](std::int64_t Machine::*f) {
                          machine.*f = base::parse_integer(text, 1, std::int64_t{1} << 40, what);
                        },
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

MachineValue value_of(const Machine& machine, const MachineKey& key) {
  return std::visit(Overloaded{[&](TimeField f) { return MachineValue(machine.*f.member); },
                               [&](PerByteField f) { return MachineValue(machine.*f.member); },
                               [&](BytesField f) { return MachineValue(machine.*f.member); },
                               [&](std::int64_t Machine::*f) { return MachineValue(machine.*f); },
                               [&](bool Machine::*f) { return MachineValue(machine.*f); },
                               [&](auto f) { return MachineValue(to_string(machine.*f)); }},
                    key.field);
}

std::string_view unit_of(const MachineKey& key) {
  return std::holds_alternative<TimeField>(key.field)      ? "s"
         : std::holds_alternative<PerByteField>(key.field) ? "s/B"
         : std::holds_alternative<BytesField>(key.field)   ? "B"
                                                           : "";
}

std::string json_name(const MachineKey& key) {
  const std::string_view unit = unit_of(key);
  return std::string(key.name) + (unit == "s" ? "_s" : unit == "s/B" ? "_s_per_byte" : unit == "B" ? "_bytes" : "");
}

std::string per_byte_text(double seconds_per_byte) {
  return seconds_per_byte == 0 ? "0 s/B" : base::format_seconds(seconds_per_byte) + "/B";
}

std::string text_of(const Machine& machine, const MachineKey& key) {
  return std::visit(Overloaded{[&](TimeField f) { return base::format_seconds(machine.*f.member); },
                               [&](PerByteField f) { return per_byte_text(machine.*f.member); },
                               [&](BytesField f) { return base::format_bytes(machine.*f.member); },
                               [&](std::int64_t Machine::*f) { return std::to_string(machine.*f); },
                               [&](bool Machine::*f) { return std::string(machine.*f ? "true" : "false"); },
                               [&](auto f) { return std::string(to_string(machine.*f)); }},
                    key.field);
}

Honesty parse_honesty(std::string_view text, std::string_view what) { return read_word<Honesty>(text, what); }

}  // namespace quadrille::machine
