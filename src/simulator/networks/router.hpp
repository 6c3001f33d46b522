// The way of a message link by link, without a list of all its links: a simulation has a million messages on their way.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/divisor.hpp"
#include "topology/division.hpp"
#include "topology/grid.hpp"

namespace quadrille::simulator {

/// A link under another number: first all ranks' links in the first direction, then those in the second, and so on; on
/// a grid those along an axis by their coordinate there, then by their line. Ranks that do the same use links of one
/// direction, on grids at one place of many lines, at about the same time. So a million links used are near each other
/// in memory, where under their own numbers each would be in another line of the cache, and many in the same few sets.
using Lane = std::uint32_t;

/// A link of a route, and what tells how the route goes on: on a grid the last lane along this axis, else the receiver.
struct Heading {
  Lane lane;
  std::uint32_t aim;
};

/// Gives the links of Topology::route(), or of another way of the pair, one after the other, as lanes; for structures
/// it does not know, by that route itself, and lanes are links. Of at most 2^31 ranks and 2^32 - 2 links.
class Router {
 public:
  static constexpr Lane none = ~Lane{0}, turns = none - 1;

  explicit Router(const Topology& topology)
      : topology_(topology),
        dimension_(topology.structure().cube),
        ring_(topology.structure().ring),
        own_wires_(!topology.contended()),
        grid_(topology.structure().grid),
        ranks_(number(topology.nodes())) {
    if (dimension_ > 0) ways_ = number(dimension_);
    if (ring_ && topology.ranks() > 2) ways_ = 2;
    if (!grid_) return;
    const auto axes = static_cast<int>(grid_->sides().size());
    ways_ = number(2 * axes);
    for (int i = 0; i < axes; ++i)
      axes_.emplace_back(grid_->step(i), grid_->sides()[static_cast<std::size_t>(i)], grid_->nodes());
  }

  Heading first(std::uint32_t from, std::uint32_t to, std::uint32_t of_pair = 0) const {
    if (dimension_ > 0) return {from == to ? none : cube_lane(from, from ^ to), to};
    if (grid_) return first_on_grid(from, to, axes_.size());
    if (own_wires_) return {from * ranks_.by() + to, to};
    if (ring_) {
      const std::uint32_t ahead = to > from ? to - from : to + ranks_.by() - from;
      return {from + (ways_ == 1 || 2 * Rank{ahead} <= ranks_.by() ? 0 : ranks_.by()), to};
    }
    return {listed(-1, from, to, of_pair), to};
  }
  /// After `last`; `none` when the message has arrived; `turns` when only turn() knows, once an axis.
  [[gnu::always_inline]] Lane next(Lane last, std::uint32_t aim) const {
    if (dimension_ > 0) {
      const std::uint32_t at = (last & (ranks_.by() - 1)) ^ std::uint32_t{1} << (last >> dimension_);
      return at == aim ? none : cube_lane(at, at ^ aim);
    }
    if (grid_) return last == aim ? turns : next_on_axis(last);
    if (own_wires_) return none;
    if (ring_) return next_on_ring(last, aim);
    return turns;
  }
  Heading turn(Lane last, std::uint32_t from, std::uint32_t to, std::uint32_t of_pair = 0) const {
    if (!grid_) return {listed(last, from, to, of_pair), to};
    const std::uint32_t way = ranks_.quotient(last), axis = way / 2;
    if (axis == 0) return {none, to};
    return first_on_grid(axes_[axis].rank(next_on_axis(last) - way * ranks_.by()), to, axis);
  }
  /// Either of them.
  Heading after(Heading h, std::uint32_t from, std::uint32_t to, std::uint32_t of_pair = 0) const {
    const Lane on = next(h.lane, h.aim);
    return on == turns ? turn(h.lane, from, to, of_pair) : Heading{on, h.aim};
  }

  Link link(Lane lane) const {
    if (ways_ == 1) return lane;
    const std::uint32_t way = ranks_.quotient(lane), place = lane - way * ranks_.by();
    return Link{grid_ ? axes_[way / 2].rank(place) : place} * ways_ + way;
  }
  Lane lane(Link link) const {
    if (ways_ == 1) return number(link);
    const std::uint32_t way = number(link % ways_), rank = number(link / ways_);
    return way * ranks_.by() + (grid_ ? axes_[way / 2].place(rank) : rank);
  }
  /// One lane that stands for both directions of a wire.
  Lane wire(Lane lane_of_one) const {
    if (dimension_ > 0) return lane_of_one & ~(std::uint32_t{1} << (lane_of_one >> dimension_));
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
  [[gnu::noinline]] Heading first_on_grid(std::uint32_t at, std::uint32_t to, std::size_t end) const {
    for (std::size_t i = end; i-- > 0;) {
      const Axis& axis = axes_[i];
      const std::uint32_t here = axis.coordinate(at), there = axis.coordinate(to);
      if (here == there) continue;
      const std::uint32_t side = axis.side.by(), ahead = there > here ? there - here : there + side - here;
      const bool up = grid_->wraps() ? 2 * ahead <= side : there > here;
      const std::uint32_t before = up ? (there == 0 ? side : there) - 1 : (there + 1 == side ? 0 : there + 1);
      const Lane lane = number(static_cast<std::int64_t>(2 * i + (up ? 0 : 1))) * ranks_.by() + axis.place(at);
      return {lane, lane + (before - here) * axis.slice.by()};
    }
    return {none, to};
  }
  /// The coordinate comes first in a place, so the way round the axis is the way round all places.
  [[gnu::always_inline]] Lane next_on_axis(Lane last) const {
    const std::uint32_t p = ranks_.by(), way = ranks_.quotient(last), base = way * p, place = last - base,
                        slice = axes_[way / 2].slice.by();
    if (way % 2 == 0) return last + slice - (place + slice >= p ? p : 0);
    return last - slice + (place < slice ? p : 0);
  }
  [[gnu::noinline]] Lane listed(Link last, Rank from, Rank to, std::uint32_t of_pair) const {
    const Link on = topology::next_on_way(topology_, last, from, to, of_pair);
    return on < 0 ? none : number(on);
  }

  /// Ranks are above * (step * side) + coordinate * step + below, places coordinate * slice + above * step + below.
  struct Axis {
    base::Divisor step, side, slice;  ///< slice: ranks of one coordinate
    Axis(Rank step_, Rank side_, Rank ranks) : step(number(step_)), side(number(side_)), slice(number(ranks / side_)) {}
    std::uint32_t coordinate(std::uint32_t rank) const { return side.remainder(step.quotient(rank)); }
    std::uint32_t place(std::uint32_t rank) const {
      const std::uint32_t upper = step.quotient(rank), above = side.quotient(upper);
      const std::uint32_t coordinate = upper - above * side.by(), below = rank - upper * step.by();
      return coordinate * slice.by() + above * step.by() + below;
    }
    std::uint32_t rank(std::uint32_t place) const {
      const std::uint32_t coordinate = slice.quotient(place), line = place - coordinate * slice.by();
      const std::uint32_t above = step.quotient(line), below = line - above * step.by();
      return (above * side.by() + coordinate) * step.by() + below;
    }
  };

  const Topology& topology_;
  int dimension_;  ///< of a cube, else 0
  bool ring_, own_wires_;
  const topology::Grid* grid_;
  base::Divisor ranks_;
  std::uint32_t ways_ = 1;  ///< links of a rank; 1 also where lanes are links
  std::vector<Axis> axes_;  ///< of a grid
};

}  // namespace quadrille::simulator
