// All candidates for a question by their prices, the cheapest first.
#pragma once

#include "planner/assure.hpp"

namespace quadrille::planner {

/// `quick`: of PlanOptions.
Plan estimate(const Spec& request, const Machine& machine, const std::vector<Algorithm>& known, bool quick,
              CountedVisits& visits);

/// Of equal times those with fewer start-ups first, then by name.
void sort_by_price(Plan& plan);

}  // namespace quadrille::planner
