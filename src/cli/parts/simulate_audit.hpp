// What an audit says, for people and for programs.
#pragma once

#include "cli/json.hpp"
#include "quadrille/audit.hpp"

namespace quadrille::cli {

void print_audit(const Audit& audit, const Task& task, console::Context& context);
/// "critical", "path", "bottleneck", "links", "ranks", "rounds".
Json json_of(const Audit& audit, const Task& task);

}  // namespace quadrille::cli
