// The commands of quadrille-lab.
#pragma once

#include "console/command.hpp"
#include "launch.hpp"

namespace quadrille::lab {

void add_making_verbs(CLI::App& app, console::Context& context);    ///< up, down
void add_changing_verbs(CLI::App& app, console::Context& context);  ///< set, fail, restore
void add_looking_verbs(CLI::App& app, console::Context& context);   ///< list, status, links, probe
void add_running_verbs(CLI::App& app, console::Context& context);   ///< exec, flags, mpirun, validate

/// Which lab is meant.
struct Choice {
  std::string name = "default", state;
  std::filesystem::path folder() const { return state.empty() ? folder_of(name) : std::filesystem::absolute(state); }
};
void add_choice(CLI::App& command, Choice& choice);

/// "8 hosts, 16 links of 20mbit each way, MTU 1500, fair between source hosts".
std::string summary(const Blueprint& blueprint);

}  // namespace quadrille::lab
