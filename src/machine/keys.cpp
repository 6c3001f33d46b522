#include "machine/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/text.hpp"

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

std::vector<const MachineKey*> keys_named(std::string_view name) {
  if (name == "overhead") return {find_key("overhead_send"), find_key("overhead_receive")};
  if (const MachineKey* key = find_key(name)) return {key};
  return {};
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const MachineKey& key : machine_keys()) {
    if (key.name == "overhead_send") names.emplace_back("overhead");
    names.emplace_back(key.name);
  }
  return names;
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

Honesty parse_honesty(std::string_view text, std::string_view what) { return read_word<Honesty>(text, what); }

}  // namespace quadrille::machine
