// Trees up and down which an all-reduce goes at once: over any network whose links lead both ways, and over small ones
// without switches whose links do not.
#pragma once

#include <string>

#include "algorithm/kit/forest_plan.hpp"

namespace quadrille::algorithm::kit {

/// Why no such trees are looked for there. Empty: they are.
std::string shared_forest_illegal(const flow::Network& links, const std::string& name);

/// So many trees of all ranks together: the time of a word of each rank, and the least of any number.
std::shared_ptr<const TreeCounts> shared_tree_counts(const flow::Network& links);

/// A share of the vector goes up the tree at its place in `up`, which leads down the network reversed, and then down
/// the one in `down`. Both have the same root, and as many copies.
struct SharedForest {
  ForestPlan down, up;
  bool same = false;  ///< up is down, in the same rounds backwards, as links lead both ways
};
/// That many trees, copies counted; where links lead both ways each is rooted in its middle. Throws Error(budget)
/// where it takes too long.
std::shared_ptr<const SharedForest> shared_forest_plan(const flow::Network& links, std::int64_t trees);

}  // namespace quadrille::algorithm::kit
