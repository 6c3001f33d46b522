// The price of a schedule that has no closed form: its own messages, round by round.
#pragma once

#include "quadrille/algorithm.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

/// For schedules among ranks alone, without local permutations, which send no data to several ranks at once.
Cost counted_cost(const Spec& spec, const Machine& machine, const Schedule& schedule);

/// Algorithm::cost where it is what the schedule's messages add up to.
template <SchedulePtr (*build)(const Spec&, const Machine&, const Params&)>
Cost cost_of(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *build(spec, machine, params));
}

}  // namespace quadrille::algorithm::kit
