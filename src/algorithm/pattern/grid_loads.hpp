// What many messages at once put on the links of a mesh or torus, at the cost of a step per message and link instead of
// one per link that a message crosses.
#pragma once

#include <vector>

#include "topology/grid.hpp"

namespace quadrille::algorithm::pattern {

class GridLoads {
 public:
  explicit GridLoads(const topology::Grid& grid) : grid_(grid), steps_(static_cast<std::size_t>(grid.links())) {}
  /// A message along the grid's own route.
  void add(Rank from, Rank to, Bytes bytes);
  /// Bytes on the busiest link, or wire when both directions count together; begins anew after it.
  Bytes busiest(bool wires);

 private:
  Link link(Rank tail, int axis, bool down) const {
    return 2 * (tail * static_cast<int>(grid_.sides().size()) + axis) + down;
  }
  void change(Rank line, int axis, Rank coordinate, bool down, Bytes by);

  const topology::Grid& grid_;
  std::vector<Bytes> steps_;  ///< by link: how much more than the link before it on its line carries
};

}  // namespace quadrille::algorithm::pattern
