// A machine for people and for programs, wherever it comes from.
#pragma once

#include "cli/json.hpp"
#include "console/command.hpp"
#include "quadrille/machine_file.hpp"

namespace quadrille::cli {

/// All constants, and where each comes from; of a file also what they were measured on and which it gives.
Json json_with_origins(const Machine& machine);
Json json_with_origins(const MachineFile& file);
/// Tables of the same; JSON where that is asked for.
void print_machine(const Machine& machine, console::Context& context);
void print_machine(const MachineFile& file, console::Context& context);

}  // namespace quadrille::cli
