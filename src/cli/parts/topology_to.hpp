// quadrille topology --to: a network in the form of another program.
#pragma once

#include <string>

#include "cli/options/request.hpp"
#include "console/command.hpp"

namespace quadrille::cli {

/// What --from, --write and --to say, and the machine that --to takes rates from.
struct OtherForms {
  std::string from, write, to;
  MachineOptions machine;
};
void add_other_forms(CLI::App& command, OtherForms& options);
/// Writes the network in the form that --to names: to --write, or to standard output.
void print_exported(const std::string& topology, OtherForms& options, console::Context& context);

}  // namespace quadrille::cli
