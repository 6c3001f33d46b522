// How fast collectives by whole trees can be: every rank is the root of so many, all of equal weight.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/cuts.hpp"
#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

/// The least time in which every rank can be the root of `trees` trees, where an arc carries as many as fit whole.
/// Never below allgather's time. Where a switch sends more than it takes in, such trees need not exist.
Ratio allgather_by_trees(const Network& network, std::int64_t trees);
/// By what capacities must be multiplied, and then rounded down, so that each rank can root its trees.
Ratio factor_for_trees(const Network& network, const Words& trees);
/// The network with capacities that are multiplied and rounded down; arcs that carry nothing are left out.
Network scaled_down(const Network& network, const Ratio& factor);

}  // namespace quadrille::flow
