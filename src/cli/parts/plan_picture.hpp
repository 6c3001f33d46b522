// A picture of a plan for a terminal.
#pragma once

#include "console/command.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

/// The limit and the best of every algorithm as bars, made of signs that tell what their time goes to.
void print_plan_bars(const Plan& plan, bool unicode, console::Context& context);

}  // namespace quadrille::cli
