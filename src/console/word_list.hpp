// What a program's commands and options are, for whoever writes manuals and completions of them.
#pragma once

#include <string>
#include <vector>

#include "console/command.hpp"

namespace quadrille::console {

/// The options of a command that are given by name, in order; without positionals.
std::vector<const CLI::Option*> named_options(const CLI::App& command);
std::vector<const CLI::Option*> positionals(const CLI::App& command);
/// "-o", "--out": all names of an option with their dashes.
std::vector<std::string> names_of(const CLI::Option& option);
/// Whether it takes a value, and what is said of it: "FILE", "estimate|simulate|measure"; empty for flags.
std::string value_name(const CLI::Option& option);
/// The words that it takes, where its value's name or a positional's description lists them and nothing else.
std::vector<std::string> known_values(const CLI::Option& option);
/// The first sentence or line of a description.
std::string in_short(const std::string& description);

}  // namespace quadrille::console
