// What a round costs: as long as its busiest link, wire or port takes, and what its messages start with.
#pragma once

#include "quadrille/cost.hpp"
#include "traffic/traffic.hpp"

namespace quadrille::traffic {

/// Adds what the loads of a round cost; returns the bytes on the busiest resource, by what the machine's wires and
/// ports share.
Bytes add_round(Cost& cost, const RoundLoads& loads, const Machine& machine, const Topology& topology);

/// The price of a whole schedule, counted message by message. Throws Error(budget) beyond so many visits to a rank in a
/// round, to a segment there, to a link of a route.
Cost counted(const Spec& spec, const Machine& machine, const Schedule& schedule, std::int64_t visits);

}  // namespace quadrille::traffic
