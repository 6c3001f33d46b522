// Plans on networks where schedules choose the ways of their messages.
#pragma once

#include <functional>

#include "quadrille/plan.hpp"

namespace quadrille::planner {

/// Looking for ways takes longer than counting a schedule. So all candidates are priced by the network's routes first,
/// by `estimate`. Then ways are chosen for the best of each algorithm, for the second best and so on, for `most` of
/// all.
Plan with_chosen_ways(const Spec& request, const Machine& machine, std::size_t most,
                      const std::function<Plan(const Spec&)>& estimate);

}  // namespace quadrille::planner
