// A tree that was searched for, kept rank by rank.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/pattern/tree.hpp"

namespace quadrille::algorithm::pattern {

struct ListedTree {
  /// `parent` of every rank; of the root -1.
  explicit ListedTree(std::vector<Rank> parent);

  std::vector<Rank> parent, level;
  std::vector<std::vector<Rank>> children;
  Rank depth = 0;
};
Tree tree_of(std::shared_ptr<const ListedTree> listed);

}  // namespace quadrille::algorithm::pattern
