// A picture of a sweep for a terminal.
#pragma once

#include <vector>

#include "console/command.hpp"
#include "quadrille/sweep.hpp"

namespace quadrille::cli {

/// A row a network, a column a size: who is the fastest, by how much, and what one algorithm for all sizes costs.
void print_sweep_map(const std::vector<SweepRow>& rows, bool unicode, console::Context& context);

}  // namespace quadrille::cli
