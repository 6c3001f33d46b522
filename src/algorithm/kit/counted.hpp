// The price of a schedule that has no closed form: its own messages, round by round.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::kit {

/// For schedules among ranks alone, without local permutations, which send no data to several ranks at once.
Cost counted_cost(const Spec& spec, const Machine& machine, const Schedule& schedule);

}  // namespace quadrille::algorithm::kit
