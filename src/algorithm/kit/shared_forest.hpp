// Trees up and down which an all-reduce goes at once, over any network whose links lead both ways.
#pragma once

#include "algorithm/kit/forest_plan.hpp"

namespace quadrille::algorithm::kit {

/// So many trees of all ranks together: the time of a word of each rank, and the least of any number.
std::shared_ptr<const TreeCounts> shared_tree_counts(const flow::Network& links);
/// That many trees, each rooted in its middle. Throws Error(budget) where it takes too long.
std::shared_ptr<const ForestPlan> shared_forest_plan(const flow::Network& links, std::int64_t trees);

}  // namespace quadrille::algorithm::kit
