// Ranking by a clock: candidates are timed, cheapest first, and given up when they cannot win any more.
#pragma once

#include "quadrille/plan.hpp"

namespace quadrille::planner {

/// Times the candidates of a plan, which are sorted by price, and sorts them by what is known then.
void rank_by_clock(Plan& plan, const PlanOptions& options);

}  // namespace quadrille::planner
