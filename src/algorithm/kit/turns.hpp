// How links share rounds between trees up and trees down.
#pragma once

#include "algorithm/kit/shared_forest.hpp"

namespace quadrille::algorithm::kit {

/// Every arc of a network of ranks alone takes pieces of both ways in turns, as many of each as its trees have. The
/// rounds of the way up count backwards.
void take_turns(const flow::Network& links, SharedForest& plan);

}  // namespace quadrille::algorithm::kit
