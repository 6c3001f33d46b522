// Trees that carry a collective over any network: how many of each rank, which ones, and how long they take.
#pragma once

#include <memory>
#include <vector>

#include "flow/cuts.hpp"
#include "flow/forest.hpp"
#include "flow/network.hpp"
#include "flow/ratio.hpp"
#include "flow/splitting.hpp"
#include "flow/tree_rounds.hpp"

namespace quadrille::algorithm::kit {

/// What ranks have for all others, on a network of ranks and switches.
struct ForestQuestion {
  flow::Network network;
  flow::Words words;
};

/// Trees of each rank in proportion to what it has, rounded up; `most` of the rank that has most.
flow::Words rooted_trees(const flow::Words& words, std::int64_t most);

/// The question as numbers, to find answers by.
std::vector<std::int64_t> forest_key(const ForestQuestion& question);
/// Ranks that one rank sends to, or takes from, at most.
std::int64_t crowd_of(const std::vector<flow::RootedTree>& trees);

/// So many trees of the rank that has most; all take `time` for a word of a capacity of 1, switches not yet looked at.
struct TreeCount {
  std::int64_t trees = 1;
  flow::Ratio time;
};
struct TreeCounts {
  flow::Ratio least;              ///< no schedule takes less
  std::vector<TreeCount> counts;  ///< the more trees, the faster; until a hundredth is left
};
std::shared_ptr<const TreeCounts> tree_counts(const ForestQuestion& question);

struct ForestPlan {
  flow::Words rooted;
  flow::Network network;         ///< of ranks alone, with arcs in place of ways through switches
  flow::LogicalNetwork logical;  ///< these ways; some arcs may have more than trees can take
  std::vector<flow::RootedTree> trees;
  std::int64_t depth = 0;  ///< of the deepest
  flow::TreePace pace = {};
  std::int64_t crowd = 1;  ///< as crowd_of() has it
  /// Where a message has pieces of one tree alone, arcs wait for others that serve another tree: so many times as long
  /// as for messages of all trees that an arc serves.
  double waits = 1;
};
/// The trees of one of the counts, or of another one. Throws Error(budget) where it takes too long.
std::shared_ptr<const ForestPlan> forest_plan(const ForestQuestion& question, std::int64_t trees);

}  // namespace quadrille::algorithm::kit
