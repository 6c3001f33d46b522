// Arcs between ranks, in place of switches, as ways that messages of a schedule take.
#pragma once

#include <vector>

#include "flow/splitting.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::algorithm::kit {

/// Of every pair of ranks with an arc, each with as many parts as of the arc pass its switches. `backwards`: arcs lead
/// from who receives to who sends. Of links that join the same two vertices each carries its share by width.
std::vector<Topology::Way> ways_of_arcs(const Topology& topology, const flow::LogicalNetwork& logical, bool backwards);

}  // namespace quadrille::algorithm::kit
