#include "quadrille/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "machine/keys.hpp"
#include "machine/presets.hpp"

namespace quadrille {

std::string_view to_string(Ports ports) { return ports == Ports::one ? "one" : "all"; }

std::string_view to_string(Duplex duplex) {
  switch (duplex) {
    case Duplex::half:
      return "half";
    case Duplex::full:
      return "full";
    case Duplex::node_half:
      return "node-half";
  }
  return "full";
}

std::string_view to_string(Switching switching) {
  switch (switching) {
    case Switching::store_and_forward:
      return "store-and-forward";
    case Switching::circuit:
      return "circuit";
    case Switching::wormhole:
      return "wormhole";
  }
  return "store-and-forward";
}

std::string_view to_string(CircuitCost circuit) { return circuit == CircuitCost::average ? "average" : "exact"; }

std::string_view to_string(Honesty honesty) {
  switch (honesty) {
    case Honesty::text:
      return "text";
    case Honesty::elsewhere:
      return "elsewhere";
    case Honesty::recalled:
      return "recalled";
    case Honesty::measured:
      return "measured";
    case Honesty::unit:
      return "unit";
  }
  return "unit";
}

void check(const Machine& machine) {
  const auto require = [&](std::string_view key, double value) {
    if (!(value >= 0 && value <= largest_constant))
      throw Error(Error::Kind::argument,
                  fmt::format("machine {}: {} is {}; expected a number of seconds from 0 to {:g}", quoted(machine.name),
                              key, value, largest_constant));
  };
  for (const MachineKey& key : machine_keys()) {
    if (const auto* time = std::get_if<TimeField>(&key.field)) require(key.name, machine.*time->member);
    if (const auto* rate = std::get_if<PerByteField>(&key.field)) require(key.name, machine.*rate->member);
  }
  if (machine.shared < 1)
    throw Error(Error::Kind::argument, fmt::format("machine {}: shared is {}; expected a whole number of 1 or more",
                                                   quoted(machine.name), machine.shared));
}

void set_parameter(Machine& machine, std::string_view assignment) {
  const auto equals = assignment.find('=');
  const std::string_view name = trimmed(assignment.substr(0, equals));
  const MachineKey* key = find_key(name);
  if (key == nullptr) {
    std::vector<std::string> known;
    for (const MachineKey& k : machine_keys()) known.emplace_back(k.name);
    unknown_name("machine parameter", name, "name", known);
  }
  if (equals == std::string_view::npos)
    throw Error(Error::Kind::argument,
                fmt::format("machine parameter {}: a value is missing; expected {}=..., such as {}={}",
                            quoted(assignment), name, name, write_value(Machine{}, *key)));
  read_value(machine, *key, trimmed(assignment.substr(equals + 1)), fmt::format("machine parameter {}", name));
  std::erase_if(machine.origins,
                [&](const Machine::Origin& o) { return o.key == name; });  // no longer where it comes from
}

namespace {

/// A TOML basic string.
std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if ((c >= 0 && c < 32) || c == 127) {
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string to_text(const Machine& machine) {
  std::string out;
  if (!machine.name.empty()) out += fmt::format("name = {}\n", toml_string(machine.name));
  if (!machine.description.empty()) out += fmt::format("description = {}\n", toml_string(machine.description));
  const auto has_origin = [&](const MachineKey& key) {
    return std::any_of(machine.origins.begin(), machine.origins.end(),
                       [&](const Machine::Origin& o) { return o.key == key.name; });
  };
  for (const MachineKey& key : machine_keys())
    if (!has_origin(key)) out += fmt::format("{} = {}\n", key.name, write_value(machine, key));
  for (const Machine::Origin& origin : machine.origins)
    if (const MachineKey* key = find_key(origin.key))
      out += fmt::format("{} = {{ value = {}, source = {}, honesty = \"{}\" }}\n", key->name,
                         write_value(machine, *key), toml_string(origin.source), to_string(origin.honesty));
  return out;
}

std::vector<std::string> machine_presets() {
  std::vector<std::string> names;
  for (const Preset& preset : generated_presets()) names.emplace_back(preset.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace quadrille
