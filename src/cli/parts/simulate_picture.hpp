// Pictures of a simulated run for a terminal.
#pragma once

#include "console/command.hpp"
#include "quadrille/audit.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cli {

/// How busy every link was, as a share of the run: a row per direction and, of grids, per row of ranks; the links of
/// other networks by number.
void print_heat(const Audit& audit, const Topology& topology, bool unicode, console::Context& context);
/// From when to when each round had messages under way.
void print_round_bars(const Audit& audit, bool unicode, console::Context& context);
/// What share of the run ranks had messages leaving, and what share they waited for others.
void print_rank_bars(const Audit& audit, bool unicode, console::Context& context);

}  // namespace quadrille::cli
