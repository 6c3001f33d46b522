// Arcs between ranks, in place of switches, as ways that messages of a schedule take.
#pragma once

#include <string>
#include <vector>

#include "flow/splitting.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::algorithm::kit {

/// Why switches cannot be replaced by arcs without a loss; empty where each gives out as much as it takes in.
std::string needs_balance(const Spec& spec, const Machine& machine);

/// Of every pair of ranks with an arc, each with as many parts as of the arc pass its switches. `backwards`: arcs lead
/// from who receives to who sends. Of links that join the same two vertices each carries its share by width.
std::vector<Topology::Way> ways_of_arcs(const Topology& topology, const flow::LogicalNetwork& logical, bool backwards);

/// The schedule, whose messages take these ways where the network lets it choose.
SchedulePtr on_ways_of_arcs(const Spec& spec, SchedulePtr schedule, const flow::LogicalNetwork& logical,
                            bool backwards = false);

}  // namespace quadrille::algorithm::kit
