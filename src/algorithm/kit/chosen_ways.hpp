// Schedules that say the ways of their messages, on networks that let them.
#pragma once

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::algorithm::kit {

/// The schedule with ways for the messages of each pair of ranks, where the network lets it choose and that is faster
/// than the network's routes; else as it is. Such ways are searched for as long as there are at most 2^21 messages.
/// Where it says ways itself: with these, or by routes.
SchedulePtr on_chosen_ways(const Spec& spec, const Machine& machine, SchedulePtr schedule);

}  // namespace quadrille::algorithm::kit
