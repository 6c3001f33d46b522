// A machine for people and for programs, wherever it comes from.
#pragma once

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::cli {

/// All constants, and where each comes from.
Json json_with_origins(const Machine& machine);
/// Tables of the same; JSON where that is asked for.
void print_machine(const Machine& machine, Context& context);

}  // namespace quadrille::cli
