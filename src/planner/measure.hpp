// Ranking by what candidates take where they are to run.
#pragma once

#include "quadrille/plan.hpp"

namespace quadrille::planner {

/// The best variant of each algorithm, best algorithms first, as far as they may still win.
std::vector<Candidate*> worth_measuring(Plan& plan);

/// Times the best few candidates of a plan that is ranked by expectation, in turns, and puts them first by their
/// medians.
void rank_by_measure(Plan& plan, const PlanOptions& options);

}  // namespace quadrille::planner
