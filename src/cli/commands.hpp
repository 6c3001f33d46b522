// The commands of `quadrille`, one file each.
#pragma once

#include "console/command.hpp"

namespace quadrille::cli {

/// The whole program: runs the command that the words ask for, writes its answer and returns the exit status.
int run(int argc, char** argv);

// src/cli/x.cpp has
//   void add_x(CLI::App& app, console::Context& context) {
//     auto options = std::make_shared<Options>();
//     CLI::App& command = console::add_command(app, context, "x", "does x", {"quadrille x y"});
//     command.add_option("Y", options->y, "...")->required();
//     command.callback([options, &context] { run(*options, context); });
//   }
void add_topology(CLI::App& app, console::Context& context);
void add_machine(CLI::App& app, console::Context& context);
void add_errata(CLI::App& app, console::Context& context);
void add_algorithm(CLI::App& app, console::Context& context);
void add_plan(CLI::App& app, console::Context& context);
void add_verify(CLI::App& app, console::Context& context);
void add_price(CLI::App& app, console::Context& context);
void add_simulate(CLI::App& app, console::Context& context);
void add_run(CLI::App& app, console::Context& context);
void add_plot(CLI::App& app, console::Context& context);
void add_report(CLI::App& app, console::Context& context);
void add_reproduce(CLI::App& app, console::Context& context);
void add_sweep(CLI::App& app, console::Context& context);
void add_tune(CLI::App& app, console::Context& context);
void add_wisdom(CLI::App& app, console::Context& context);
void add_export(CLI::App& app, console::Context& context);
void add_rules(CLI::App& app, console::Context& context);
void add_replay(CLI::App& app, console::Context& context);

}  // namespace quadrille::cli
