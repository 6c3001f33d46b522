// Ranking by what candidates take where they are to run.
#pragma once

#include "quadrille/plan.hpp"

namespace quadrille {

/// Times the best few candidates of a plan that is ranked by expectation, in turns, and puts them first by their
/// medians.
void rank_by_measure(Plan& plan, const PlanOptions& options);

}  // namespace quadrille
