#include "report/answers_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "machine/keys.hpp"

namespace quadrille::report {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 62;

Error wrong(std::string_view key, std::string_view expected) {
  return Error(Error::Kind::format, fmt::format("'{}' is missing or wrong: expected {}", key, expected));
}

/// The JSON key of a machine's constant: with its unit.
std::string json_key(const machine::MachineKey& key) {
  const bool time = std::holds_alternative<machine::TimeField>(key.field),
             rate = std::holds_alternative<machine::PerByteField>(key.field),
             bytes = std::holds_alternative<machine::BytesField>(key.field);
  return std::string(key.name) + (time ? "_s" : rate ? "_s_per_byte" : bytes ? "_bytes" : "");
}

/// A constant as read_value takes it.
std::string value_text(const Json& value, std::string_view key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  throw wrong(key, "a value of a machine");
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

const Json& member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw wrong(key, "a member of that name");
  return object.at(key);
}

std::string text_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw wrong(key, "text");
  return value.get<std::string>();
}

std::int64_t whole_member(const Json& object, const char* key, std::int64_t low, std::int64_t high) {
  const Json& value = member(object, key);
  const auto refuse = [&] { return wrong(key, fmt::format("a whole number from {} to {}", low, high)); };
  if (!value.is_number_integer()) throw refuse();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) throw refuse();
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) throw refuse();
  return number;
}

double number_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number()) throw wrong(key, "a number");
  return value.get<double>();
}

Spec spec_of(const Json& json) {
  Spec spec;
  const std::string name = text_member(json, "collective");
  const auto collective = find_collective(name);
  if (!collective) throw Error(Error::Kind::format, fmt::format("collective {} is unknown", base::quoted(name)));
  spec.collective = *collective;
  spec.topology = parse_topology(text_member(json, "topology"));
  const Rank last = spec.ranks() - 1;
  whole_member(json, "ranks", spec.ranks(), spec.ranks());
  spec.bytes = whole_member(json, "bytes", 0, most);
  if (has_root(spec.collective)) spec.root = whole_member(json, "root", 0, last);
  if (spec.collective == Collective::sendrecv) spec.target = whole_member(json, "target", 0, last);
  if (spec.collective == Collective::multibcast) {
    const Json &ranks = member(json, "sources"), &bytes = member(json, "source_bytes");
    if (!ranks.is_array() || !bytes.is_array() || ranks.size() != bytes.size())
      throw wrong("sources", "as many ranks as source_bytes has lengths");
    std::vector<std::pair<Rank, Bytes>> list;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const Json pair{{"sources", ranks[i]}, {"source_bytes", bytes[i]}};
      list.emplace_back(whole_member(pair, "sources", 0, last), whole_member(pair, "source_bytes", 0, most));
    }
    spec.sources = make_sources(std::move(list));
  }
  return checked(spec);
}

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
  machine.name = printable(text_member(json, "name"), 60);
  machine.description = printable(text_member(json, "description"), 300);
  for (const machine::MachineKey& key : machine::machine_keys()) {
    const std::string name = json_key(key);
    if (machine::may_be_missing(key) && json.is_object() && !json.contains(name)) continue;
    machine::read_value(machine, key, value_text(member(json, name.c_str()), name), name);
  }
  check(machine);
  return with_origins(std::move(machine), where);
}

}  // namespace quadrille::report
