// A network from a file that describes a machine for another program.
#pragma once

#include <string>

#include "console/command.hpp"

namespace quadrille::cli {

/// Says what was understood and what was left out; writes the network to `write` unless that is empty.
void print_imported(const std::string& from, const std::string& write, console::Context& context);

}  // namespace quadrille::cli
