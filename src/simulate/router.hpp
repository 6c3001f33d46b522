// The way of a message link by link, without a list of all its links: a simulation has a million messages on their way.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "topology/crossbar.hpp"
#include "topology/grid.hpp"
#include "topology/hypercube.hpp"
#include "topology/ring.hpp"

namespace quadrille {

/// Gives the links of Topology::route() one after the other; for families it does not know, by that route itself.
class Router {
 public:
  explicit Router(const Topology& topology)
      : topology_(topology),
        cube_(dynamic_cast<const Hypercube*>(&topology)),
        ring_(dynamic_cast<const Ring*>(&topology)),
        crossbar_(dynamic_cast<const Crossbar*>(&topology)),
        grid_(dynamic_cast<const Grid*>(&topology)) {}

  /// The link that a message enters after `last`, or first when `last` is -1.
  Link next(Link last, Rank from, Rank to) const {
    if (cube_) {
      const int n = cube_->dimension();
      const Rank at = last < 0 ? from : cube_->head(last);
      return at * n + std::countr_zero(static_cast<std::uint64_t>(at ^ to));
    }
    if (crossbar_) return from * crossbar_->ranks() + to;
    if (ring_) return next_on_ring(last, from, to);
    if (grid_) return next_on_grid(last < 0 ? from : grid_->head(last), to);
    path_.clear();
    topology_.route(from, to, path_);
    return last < 0 ? path_.front() : *(std::find(path_.begin(), path_.end(), last) + 1);
  }
  /// Whether a message to `to` has arrived once it has crossed the link.
  bool ends(Link link, Rank from, Rank to) const {
    if (topology_.direct()) return topology_.head(link) == to;
    path_.clear();
    topology_.route(from, to, path_);
    return path_.back() == link;
  }

 private:
  Link next_on_ring(Link last, Rank from, Rank to) const {
    const Rank p = ring_->ranks();
    if (last >= 0) return 2 * ring_->head(last) + last % 2;
    return p == 2 ? from : 2 * from + (2 * wrap(to - from, p) <= p ? 0 : 1);
  }
  /// A route's rest is the route from where it is: one axis after the other, the last first, the shorter way, up at a
  /// tie.
  Link next_on_grid(Rank at, Rank to) const {
    const auto axes = static_cast<int>(grid_->sides().size());
    for (int axis = axes - 1; axis >= 0; --axis) {
      const Rank side = grid_->sides()[static_cast<std::size_t>(axis)];
      const Rank ahead = grid_->coordinate(to, axis) - grid_->coordinate(at, axis);
      if (ahead == 0) continue;
      const bool up = grid_->wraps() ? 2 * wrap(ahead, side) <= side : ahead > 0;
      return 2 * (at * axes + axis) + (up ? 0 : 1);
    }
    return -1;
  }

  const Topology& topology_;
  const Hypercube* cube_;
  const Ring* ring_;
  const Crossbar* crossbar_;
  const Grid* grid_;
  mutable std::vector<Link> path_;
};

}  // namespace quadrille
