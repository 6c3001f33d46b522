// What shells complete of a program's words: its commands, their options, and values that are known.
#pragma once

#include <string>

#include "console/command.hpp"

namespace quadrille::console {

/// Scripts that the shells load by the program's name.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace quadrille::console
