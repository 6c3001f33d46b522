// How far data must go on a network whose messages cross switches: routes may lead farther, and relays may shorten
// them.
#pragma once

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::pricing {

/// Links that some block must cross from who has it to who needs it, at least.
int farthest_in_links(const Spec& spec);
/// What crossing links takes of the block that must go farthest: latencies, and per_hop for each where that is asked
/// for.
Seconds farthest_way(const Spec& spec, const Machine& machine, bool with_hops);
/// The least start-up of messages between two nodes of Structure::per_node ranks; the least of all where every rank has
/// its own.
Seconds least_alpha_between_nodes(const Topology& topology, const Machine& machine);

}  // namespace quadrille::pricing
