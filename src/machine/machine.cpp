#include "quadrille/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "machine/keys.hpp"
#include "machine/links.hpp"
#include "machine/measured.hpp"
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
    if (!(value >= 0 && value <= machine::largest_constant))
      throw Error(Error::Kind::argument,
                  fmt::format("machine {}: {} is {}; expected a number of seconds from 0 to {:g}",
                              base::quoted(machine.name), key, value, machine::largest_constant));
  };
  for (const machine::MachineKey& key : machine::machine_keys()) {
    if (const auto* time = std::get_if<machine::TimeField>(&key.field)) require(key.name, machine.*time->member);
    if (const auto* rate = std::get_if<machine::PerByteField>(&key.field)) require(key.name, machine.*rate->member);
  }
  if (machine.shared < 1)
    throw Error(Error::Kind::argument, fmt::format("machine {}: shared is {}; expected a whole number of 1 or more",
                                                   base::quoted(machine.name), machine.shared));
  machine::check_links(machine);
}

namespace {

/// Sets what the assignment names, and returns it.
std::vector<const machine::MachineKey*> assign(Machine& machine, std::string_view assignment) {
  const auto equals = assignment.find('=');
  const std::string_view name = machine::trimmed(assignment.substr(0, equals));
  if (machine::names_link(name) && equals != std::string_view::npos) {
    machine::set_link(machine, name, machine::trimmed(assignment.substr(equals + 1)));
    return {};
  }
  const std::vector<const machine::MachineKey*> keys = machine::keys_named(name);
  if (keys.empty()) base::unknown_name("machine parameter", name, "name", machine::key_names());
  if (equals == std::string_view::npos)
    throw Error(Error::Kind::argument,
                fmt::format("machine parameter {}: a value is missing; expected {}=..., such as {}={}",
                            base::quoted(assignment), name, name, machine::write_value(Machine{}, *keys.front())));
  for (const machine::MachineKey* key : keys) {
    machine::read_value(machine, *key, machine::trimmed(assignment.substr(equals + 1)),
                        fmt::format("machine parameter {}", name));
    std::erase_if(machine.origins,
                  [&](const Machine::Origin& o) { return o.key == key->name; });  // no longer where it comes from
  }
  return keys;
}

/// A machine without what `left_out` names.
template <class LeftOut>
std::string text_without(const Machine& machine, const LeftOut& left_out) {
  std::string out;
  if (!machine.name.empty()) out += fmt::format("name = {}\n", machine::toml_string(machine.name));
  if (!machine.description.empty()) out += fmt::format("description = {}\n", machine::toml_string(machine.description));
  const auto has_origin = [&](const machine::MachineKey& key) {
    return std::any_of(machine.origins.begin(), machine.origins.end(),
                       [&](const Machine::Origin& o) { return o.key == key.name; });
  };
  for (const machine::MachineKey& key : machine::machine_keys())
    if (!has_origin(key) && !left_out(key))
      out += fmt::format("{} = {}\n", key.name, machine::write_value(machine, key));
  for (const Machine::Origin& origin : machine.origins)
    if (const machine::MachineKey* key = machine::find_key(origin.key))
      out += fmt::format("{} = {{ value = {}, source = {}, honesty = \"{}\" }}\n", key->name,
                         machine::write_value(machine, *key), machine::toml_string(origin.source),
                         to_string(origin.honesty));
  return out + machine::links_toml(machine);
}

}  // namespace

void set_parameter(Machine& machine, std::string_view assignment) { assign(machine, assignment); }

void set_parameter(MachineFile& file, std::string_view assignment) {
  for (const machine::MachineKey* key : assign(file.machine, assignment))
    if (!file.is_given(key->name)) file.given.emplace_back(key->name);
}

std::string to_text(const Machine& machine) {
  return text_without(machine, [](const machine::MachineKey&) { return false; });
}

std::string to_text(const MachineFile& file) {
  const auto left_out = [&](const machine::MachineKey& key) {
    return !file.is_given(key.name) && machine::write_value(file.machine, key) == machine::write_value(Machine{}, key);
  };
  return text_without(file.machine, left_out) + machine::measured_toml(file.measured);
}

bool MachineFile::is_given(std::string_view key) const {
  return std::find(given.begin(), given.end(), key) != given.end();
}

std::vector<std::string> implausible(const Machine& m) {
  const auto in_units = [&](std::string_view key) {
    return std::any_of(m.origins.begin(), m.origins.end(),
                       [&](const Machine::Origin& o) { return o.key == key && o.honesty == Honesty::unit; });
  };
  const bool counts = (m.alpha == 1 && m.beta == 1) || in_units("alpha") || in_units("beta");
  if (counts) return {};
  constexpr Seconds long_time = 0.1, short_time = 1e-11;
  constexpr double slow = 1e-3, fast = 1e-15;
  std::vector<std::string> all;
  for (const machine::MachineKey& key : machine::machine_keys()) {
    const bool of_bytes = std::holds_alternative<machine::PerByteField>(key.field);
    double value = 0;
    if (const auto* time = std::get_if<machine::TimeField>(&key.field)) value = m.*time->member;
    if (const auto* rate = std::get_if<machine::PerByteField>(&key.field)) value = m.*rate->member;
    if (value == 0) continue;
    if (value >= (of_bytes ? slow : long_time) || value < (of_bytes ? fast : short_time))
      all.push_back(fmt::format("{} = {:.4g} {} is implausible; units are written with it, such as {}", key.name, value,
                                of_bytes ? "s/B" : "s", of_bytes ? "12.5GB/s or 100Gbit/s" : "1.5us"));
  }
  return all;
}

std::vector<std::string> machine_presets() {
  std::vector<std::string> names;
  for (const machine::Preset& preset : machine::generated_presets()) names.emplace_back(preset.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace quadrille
