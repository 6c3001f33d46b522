// The way of a message link by link, without a list of all its links: a simulation has a million messages on their way.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/divisor.hpp"
#include "topology/crossbar.hpp"
#include "topology/grid.hpp"
#include "topology/hypercube.hpp"
#include "topology/ring.hpp"

namespace quadrille {

/// A link under another number: first all ranks' links in the first direction, then those in the second, and so on.
/// Ranks that do the same use links of one direction at about the same time. So a million links used are near each
/// other in memory, where under their own numbers each would be in another line of the cache.
using Lane = std::uint32_t;

/// Gives the links of Topology::route() one after the other, as lanes; for families it does not know, by that route
/// itself, and lanes are links. Of at most 2^31 ranks and 2^32 - 1 links.
class Router {
 public:
  static constexpr Lane none = ~Lane{0};

  explicit Router(const Topology& topology)
      : topology_(topology),
        cube_(dynamic_cast<const Hypercube*>(&topology)),
        ring_(dynamic_cast<const Ring*>(&topology)),
        crossbar_(dynamic_cast<const Crossbar*>(&topology)),
        grid_(dynamic_cast<const Grid*>(&topology)),
        ranks_(number(topology.nodes())) {
    if (cube_) dimension_ = cube_->dimension(), ways_ = number(std::max(1, dimension_));
    if (ring_ && ring_->ranks() > 2) ways_ = 2;
    if (!grid_) return;
    const auto axes = static_cast<int>(grid_->sides().size());
    ways_ = number(2 * axes);
    for (int i = 0; i < axes; ++i)
      axes_.push_back({Divisor(number(grid_->step(i))), Divisor(number(grid_->sides()[static_cast<std::size_t>(i)]))});
  }

  Lane first(std::uint32_t from, std::uint32_t to) const {
    if (cube_) return from == to ? none : cube_lane(from, from ^ to);
    if (grid_) return first_on_grid(from, to, axes_.size());
    if (crossbar_) return from * ranks_.by() + to;
    if (ring_) {
      const std::uint32_t ahead = to > from ? to - from : to + ranks_.by() - from;
      return from + (ways_ == 1 || 2 * Rank{ahead} <= ranks_.by() ? 0 : ranks_.by());
    }
    return listed(-1, from, to);
  }
  /// After `last`; none when the message has arrived.
  [[gnu::always_inline]] Lane next(Lane last, std::uint32_t from, std::uint32_t to) const {
    if (cube_) {
      const std::uint32_t at = (last & (ranks_.by() - 1)) ^ std::uint32_t{1} << (last >> dimension_);
      return at == to ? none : cube_lane(at, at ^ to);
    }
    if (grid_) return next_on_grid(last, to);
    if (crossbar_) return none;
    if (ring_) return next_on_ring(last, to);
    return listed(last, from, to);
  }

  Link link(Lane lane) const {
    if (ways_ == 1) return lane;
    return Link{ranks_.remainder(lane)} * ways_ + ranks_.quotient(lane);
  }
  Lane lane(Link link) const {
    return ways_ == 1 ? number(link) : number(link % ways_) * ranks_.by() + number(link / ways_);
  }
  /// One lane that stands for both directions of a wire.
  Lane wire(Lane lane_of_one) const {
    if (cube_) return lane_of_one & ~(std::uint32_t{1} << (lane_of_one >> dimension_));
    return std::min(lane_of_one, lane(topology_.reverse(link(lane_of_one))));
  }

 private:
  static constexpr std::uint32_t number(std::int64_t n) { return static_cast<std::uint32_t>(n); }

  Lane cube_lane(std::uint32_t at, std::uint32_t differs) const {
    return static_cast<std::uint32_t>(std::countr_zero(differs)) << dimension_ | at;
  }
  Lane next_on_ring(Lane last, std::uint32_t to) const {
    if (ways_ == 1) return none;
    const std::uint32_t p = ranks_.by();
    const bool back = last >= p;
    const std::uint32_t tail = back ? last - p : last;
    const std::uint32_t at = back ? (tail == 0 ? p : tail) - 1 : (tail + 1 == p ? 0 : tail + 1);
    return at == to ? none : at + (back ? p : 0);
  }
  /// One axis after the other, the last first, the shorter way, up at a tie: the first link along the axes before
  /// `end`.
  [[gnu::noinline]] Lane first_on_grid(std::uint32_t at, std::uint32_t to, std::size_t end) const {
    for (std::size_t i = end; i-- > 0;) {
      const std::uint32_t here = coordinate(at, i), there = coordinate(to, i);
      if (here == there) continue;
      const std::uint32_t side = axes_[i].side.by(), ahead = there > here ? there - here : there + side - here;
      const bool up = grid_->wraps() ? 2 * ahead <= side : there > here;
      return number(static_cast<std::int64_t>(2 * i + (up ? 0 : 1))) * ranks_.by() + at;
    }
    return none;
  }
  /// A route's rest is the route from where it is: on along the axis until that is done.
  Lane next_on_grid(Lane last, std::uint32_t to) const {
    const std::uint32_t way = ranks_.quotient(last), base = way * ranks_.by(), tail = last - base;
    const std::size_t axis = way / 2;
    const std::uint32_t here = coordinate(tail, axis), step = axes_[axis].step.by(), most = axes_[axis].side.by() - 1;
    const bool up = way % 2 == 0, round = here == (up ? most : 0);
    const std::uint32_t on = up ? step : 0 - step, back = up ? 0 - most * step : most * step;
    const std::uint32_t at = tail + (round ? back : on),
                        there = up ? (round ? 0 : here + 1) : (round ? most : here - 1);
    if (there != coordinate(to, axis)) return base + at;
    return at == to ? none : first_on_grid(at, to, axis);
  }
  std::uint32_t coordinate(std::uint32_t rank, std::size_t axis) const {
    return axes_[axis].side.remainder(axes_[axis].step.quotient(rank));
  }
  [[gnu::noinline]] Lane listed(Link last, Rank from, Rank to) const {
    path_.clear();
    topology_.route(from, to, path_);
    const auto at = last < 0 ? path_.begin() : std::find(path_.begin(), path_.end(), last) + 1;
    return at == path_.end() ? none : number(*at);
  }

  struct Axis {
    Divisor step, side;
  };

  const Topology& topology_;
  const Hypercube* cube_;
  const Ring* ring_;
  const Crossbar* crossbar_;
  const Grid* grid_;
  Divisor ranks_;
  int dimension_ = 0;       ///< of a cube
  std::uint32_t ways_ = 1;  ///< links of a rank; 1 also where lanes are links
  std::vector<Axis> axes_;  ///< of a grid
  mutable std::vector<Link> path_;
};

}  // namespace quadrille
