// Plans on networks where schedules choose the ways of their messages.
#pragma once

#include <cstddef>

#include "quadrille/plan.hpp"

namespace quadrille::planner {

/// `plan` has what says its ways itself, `by_routes` all else, priced by the network's routes: looking for ways takes
/// longer than counting a schedule. Ways are looked for for the best of each algorithm, for the second best and so on,
/// for `most` of all, while they may be faster than what is in the plan. What was tried goes into it.
void choose_ways(Plan& plan, Plan by_routes, std::size_t most);

}  // namespace quadrille::planner
