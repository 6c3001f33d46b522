// Machine files: TOML in which every constant may carry its source. Files come from outside and are not trusted.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "machine/keys.hpp"
#include "machine/links.hpp"
#include "machine/measured.hpp"
#include "machine/place.hpp"
#include "machine/presets.hpp"

namespace quadrille {

namespace {

/// A number, word or truth value in the form that read_value takes.
std::string scalar_text(const toml::node& node, std::string_view key, const machine::Place& place) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  place.fail(node.source(), fmt::format("{} is {}; expected a value, or a table with value, source and honesty", key,
                                        machine::type_name(node)));
}

/// alpha = 2.5e-6, or [alpha] with value, source and honesty.
void read_key(MachineFile& file, const machine::MachineKey& key, std::string_view name, const toml::node& node,
              const machine::Place& place) {
  if (file.is_given(key.name))
    place.fail(node.source(), fmt::format("{} sets {}, which another line sets, too", name, key.name));
  file.given.emplace_back(key.name);
  Machine& machine = file.machine;
  const toml::table* table = node.as_table();
  const toml::node* value = table == nullptr ? &node : table->get("value");
  if (table != nullptr) {
    for (const auto& [member, ignored] : *table)
      if (member != "value" && member != "source" && member != "honesty")
        base::unknown_name(fmt::format("{}: member of {}", place.line(member.source()), name), member.str(), "name",
                           {"value", "source", "honesty"});
    if (value == nullptr)
      place.fail(node.source(), fmt::format("{} has no value; expected value, source, honesty", name));
  }
  machine::read_value(machine, key, scalar_text(*value, name, place),
                      fmt::format("{}: {}", place.line(value->source()), name));
  if (table == nullptr) return;
  const toml::node* source = table->get("source");
  const toml::node* honesty = table->get("honesty");
  if ((source == nullptr) != (honesty == nullptr))
    place.fail(node.source(), fmt::format("{} has {}; expected source and honesty together", name,
                                          source == nullptr ? "honesty without source" : "source without honesty"));
  if (source == nullptr) return;
  const std::string mark_name = fmt::format("honesty of {}", name);
  const std::string mark = machine::read_line(*honesty, mark_name, place);
  machine.origins.push_back(
      {std::string(key.name), machine::read_line(*source, fmt::format("source of {}", name), place),
       machine::parse_honesty(mark, fmt::format("{}: {}", place.line(honesty->source()), mark_name))});
}

struct Entry {
  const toml::key* key;
  const toml::node* node;
};

/// The entries as they stand in the file; the parser sorts them by name.
std::vector<Entry> in_file_order(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.push_back({&key, &node});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const auto& x = a.key->source().begin;
    const auto& y = b.key->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  return entries;
}

/// "machines/ipsc860.toml" -> "ipsc860".
std::string stem(std::string_view where) {
  std::string name = std::filesystem::path(where).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c < 32 || c > 126; }, '_');
  return name.empty() ? "machine" : name.substr(0, machine::most_text);
}

std::string read_file(const std::string& path) {
  const auto refuse = [&](std::string_view why) {
    return Error(Error::Kind::argument,
                 fmt::format("machine file {}: {}; expected a preset ({}) or a readable TOML file",
                             base::quoted(path, 200), why, base::join(machine_presets(), ", ")));
  };
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) throw refuse("is a directory");
  if (!std::filesystem::exists(status)) throw refuse("no such file");
  if (!std::filesystem::is_regular_file(status)) throw refuse("is not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw refuse(fmt::format("cannot be opened ({})", std::strerror(errno)));
  std::string text(base::most_toml_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw refuse("cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

MachineFile parse_machine_file(std::string_view toml, const std::string& where) {
  const machine::Place place(where);
  const toml::table table = base::parse_toml(toml, where, place.file());
  MachineFile file;
  file.machine.name = stem(where);
  for (const auto& [name, node] : in_file_order(table)) {
    const std::vector<const machine::MachineKey*> keys = machine::keys_named(name->str());
    if (*name == "name") {
      file.machine.name = machine::read_line(*node, "name", place);
    } else if (*name == "description") {
      file.machine.description = machine::read_line(*node, "description", place);
    } else if (*name == "measured") {
      file.measured = machine::read_measured(*node, place);
    } else if (*name == "link") {
      machine::read_links(file.machine, *node, place);
    } else if (keys.empty()) {
      std::vector<std::string> known = machine::key_names();
      known.insert(known.begin(), {"name", "description", "measured", "link"});
      base::unknown_name(fmt::format("{}: key", place.line(name->source())), name->str(), "key", known);
    }
    for (const machine::MachineKey* key : keys) read_key(file, *key, name->str(), *node, place);
  }
  for (const std::string_view key : {"alpha", "beta"})
    if (!table.contains(key))
      throw Error(Error::Kind::format,
                  fmt::format("{}: {} is missing; every machine file sets alpha and beta", place.file(), key));
  return file;
}

MachineFile load_machine_file(const std::string& name_or_path) {
  for (const machine::Preset& preset : machine::generated_presets())
    if (preset.name == name_or_path)
      return parse_machine_file(preset.toml, fmt::format("machines/{}.toml", preset.name));
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml");
  std::error_code ignored;
  if (!is_path && !std::filesystem::exists(name_or_path, ignored))
    base::unknown_name("machine", name_or_path, "preset, and there is no such file", machine_presets());
  return parse_machine_file(read_file(name_or_path), name_or_path);
}

Machine parse_machine(std::string_view toml, const std::string& where) {
  return parse_machine_file(toml, where).machine;
}

Machine load_machine(const std::string& name_or_path) { return load_machine_file(name_or_path).machine; }

}  // namespace quadrille
