// Buffers of an alltoallv whose ranks are not in the order of nodes.
#pragma once

#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::planner {

/// A schedule whose ranks have their names, but whose buffers list partners by node: with buffers as ranks have them.
/// `nodes[r]` is where rank r is; `on_nodes` are the demands of nodes.
SchedulePtr in_order_of_ranks(SchedulePtr schedule, DemandsPtr of_ranks, DemandsPtr on_nodes, std::vector<Rank> nodes);

}  // namespace quadrille::planner
