// How fast an allgather by whole trees can be: every rank is the root of so many, all of equal weight.
#pragma once

#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

/// The least time in which every rank can be the root of `trees` trees, where an arc carries as many as fit whole.
/// Never below allgather's time. Where a switch sends more than it takes in, such trees need not exist.
Ratio allgather_by_trees(const Network& network, std::int64_t trees);

}  // namespace quadrille::flow
