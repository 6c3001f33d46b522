// Circuits of different rounds that ranks which run ahead have under way at once.
#pragma once

#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::kit {

/// Whether circuits of the schedule's messages, of whatever rounds, could wait for each other's links in a circle,
/// where these work both ways at once. They cannot where all of them take links in one order.
bool circuits_may_wait(const Topology& topology, const Schedule& schedule);

}  // namespace quadrille::algorithm::kit
