// The command `manual`, which every program of the project has.
#pragma once

#include "console/command.hpp"

namespace quadrille::console {

/// Comes last, as it knows the commands that are there.
void add_manual(CLI::App& app, Context& context);

}  // namespace quadrille::console
