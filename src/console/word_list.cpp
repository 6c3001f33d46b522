#include "console/word_list.hpp"

#include <algorithm>

namespace quadrille::console {

namespace {

std::vector<std::string> split(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(between); end != std::string::npos; end = text.find(between, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + between.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// Values are written in small letters; "FILE" stands for one.
bool is_word(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
}

}  // namespace

std::vector<const CLI::Option*> named_options(const CLI::App& command) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options())
    if (!names_of(*option).empty()) options.push_back(option);
  return options;
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) options.push_back(option);
  return options;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string value_name(const CLI::Option& option) {
  return option.get_items_expected_max() > 0 ? option.get_type_name() : std::string();
}

std::vector<std::string> known_values(const CLI::Option& option) {
  for (const auto& values : {split(option.get_type_name(), "|"), split(option.get_description(), ", ")})
    if (values.size() > 1 && std::all_of(values.begin(), values.end(), is_word)) return values;
  return {};
}

std::string in_short(const std::string& description) {
  return description.substr(0, std::min(description.find_first_of(";:\n"), description.find(". ")));
}

}  // namespace quadrille::console
