#include "report/answers_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "machine/keys.hpp"

namespace quadrille::report {

namespace {

/// A constant as read_value takes it.
std::string value_text(const Json& value, std::string_view key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  throw base::wrong_member(key, "a value of a machine");
}

bool same_constants(const Machine& a, const Machine& b) {
  return std::all_of(
      machine::machine_keys().begin(), machine::machine_keys().end(),
      [&](const machine::MachineKey& key) { return machine::write_value(a, key) == machine::write_value(b, key); });
}

/// Text of a file in one line that a terminal can show.
std::string printable(std::string text, std::size_t limit) {
  text.resize(std::min(text.size(), limit));
  for (char& c : text)
    if (c < 32 || c > 126) c = '_';
  return text;
}

}  // namespace

Machine with_origins(Machine machine, const std::string& where) {
  const std::vector<std::string> presets = machine_presets();
  if (std::find(presets.begin(), presets.end(), machine.name) != presets.end())
    if (Machine preset = load_machine(machine.name); same_constants(preset, machine)) return preset;
  machine.origins.clear();
  for (const machine::MachineKey& key : machine::machine_keys())
    machine.origins.push_back({std::string(key.name), "as " + where + " has it", Honesty::recalled});
  return machine;
}

Machine machine_of(const Json& json, const std::string& where) {
  Machine machine;
  machine.name = printable(base::text_member(json, "name"), 60);
  machine.description = printable(base::text_member(json, "description"), 300);
  for (const machine::MachineKey& key : machine::machine_keys()) {
    const std::string name = machine::json_name(key);
    if (machine::may_be_missing(key) && json.is_object() && !json.contains(name)) continue;
    machine::read_value(machine, key, value_text(base::member(json, name.c_str()), name), name);
  }
  if (json.contains("links")) read_links(json["links"], machine);
  check(machine);
  return with_origins(std::move(machine), where);
}

}  // namespace quadrille::report
