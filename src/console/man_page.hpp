// Man pages of a program and of its commands, from what they say of themselves.
#pragma once

#include <string>

#include "console/command.hpp"

namespace quadrille::console {

/// The page of a program: "quadrille.1".
std::string man_page(const CLI::App& program);
/// The page of one of its commands: "quadrille-plan.1".
std::string man_page(const CLI::App& program, const CLI::App& command);

}  // namespace quadrille::console
