// What every program of the project has around its commands: help that wraps, errors in one line, an exit status.
#pragma once

#include "console/command.hpp"

namespace quadrille::console {

/// Comes before the commands are added, as they inherit from it: how help looks, and whether the answer has colours.
void prepare_program(CLI::App& app, Context& context);
/// Parses, runs the chosen command, writes its answer. Returns the exit status. The app's name opens error messages.
int run_program(int argc, char** argv, CLI::App& app, Context& context);

}  // namespace quadrille::console
