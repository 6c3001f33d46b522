// Meshes and tori seen from the root of a collective, and the trees over them that follow one axis after the other.
#pragma once

#include <vector>

#include "algorithm/pattern/tree.hpp"
#include "quadrille/algorithm.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::pattern {

/// Whether the ranks form one ring, numbered round it: a ring, or a torus of one dimension.
bool is_cycle(const Spec& spec);

/// How far every rank of a grid is from the root, axis by axis.
class GridView {
 public:
  explicit GridView(const Spec& spec);  ///< the topology must be a Grid

  const topology::Grid& grid() const { return *grid_; }
  int axes() const { return static_cast<int>(grid_->sides().size()); }
  /// Ranks from the root up (sign > 0) or down the axis; on a torus half of the others each, up gets the odd one.
  Rank reach(int axis, int sign) const;
  Rank reach(int axis) const { return std::max(reach(axis, 1), reach(axis, -1)); }
  /// Links from the root along an axis, negative when the way leads down.
  Rank offset(Rank r, int axis) const;
  /// Links from the root along all axes.
  Rank distance(Rank r) const;
  /// The rank one link nearer to the root along an axis on which it is not the root's.
  Rank nearer(Rank r, int axis) const { return grid_->neighbour(r, axis, offset(r, axis) > 0 ? -1 : 1); }

 private:
  TopologyPtr topology_;
  const topology::Grid* grid_;
  std::vector<Rank> root_;  ///< its coordinates
};

/// The shortest paths from the root that follow the first axis first and the last axis last: on a plane down the root's
/// column, then along every row. Reversed: the last axis first. [Saad & Schultz 1986, eq. (3.18)]
Tree grid_tree(const Spec& spec, bool reversed = false);

}  // namespace quadrille::algorithm::pattern
