// What the files of this folder have in common. Each of them but topology.cpp defines
// `std::vector<TopologyFamily> families()` in a namespace of its name, and the build finds it.
#pragma once

#include <string>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// Of all files. Generated from their names.
std::vector<TopologyFamily> generated_families();

/// Shapes of families that have a network of any number of ranks, and of a power of two of them.
inline std::string any_size(Rank ranks) { return std::to_string(ranks); }
inline std::string log_of_size(Rank ranks) {
  return base::is_power_of_two(ranks) ? std::to_string(base::log2_floor(ranks)) : std::string();
}
/// Of families whose smallest network has a stage.
inline std::string stages_of_size(Rank ranks) { return ranks > 1 ? log_of_size(ranks) : std::string(); }

}  // namespace quadrille::topology
