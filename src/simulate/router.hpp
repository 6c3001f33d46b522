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

/// Divides 32-bit numbers by one that is always the same: by a multiplication, which is several times faster. (Lemire,
/// Kaser & Kurz 2019, Faster remainder by direct computation: exact for all 32-bit numbers.)
class Divisor {
 public:
  explicit Divisor(std::uint32_t by = 1) : by_(by), inverse_(by == 1 ? 0 : ~std::uint64_t{0} / by + 1) {}
  std::uint32_t quotient(std::uint32_t n) const {
    return by_ == 1 ? n : static_cast<std::uint32_t>(static_cast<Wide>(inverse_) * n >> 64);
  }
  std::uint32_t remainder(std::uint32_t n) const { return n - by_ * quotient(n); }
  std::uint32_t by() const { return by_; }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint32_t by_;
  std::uint64_t inverse_;
};

/// Gives the links of Topology::route() one after the other; for families it does not know, by that route itself.
class Router {
 public:
  explicit Router(const Topology& topology)
      : topology_(topology),
        cube_(dynamic_cast<const Hypercube*>(&topology)),
        ring_(dynamic_cast<const Ring*>(&topology)),
        crossbar_(dynamic_cast<const Crossbar*>(&topology)),
        grid_(dynamic_cast<const Grid*>(&topology)) {
    if (cube_) per_rank_ = Divisor(static_cast<std::uint32_t>(std::max(1, cube_->dimension())));
    if (!grid_) return;
    const auto axes = static_cast<int>(grid_->sides().size());
    per_rank_ = Divisor(2 * static_cast<std::uint32_t>(axes));
    for (int i = 0; i < axes; ++i)
      axes_.push_back({Divisor(static_cast<std::uint32_t>(grid_->step(i))),
                       Divisor(static_cast<std::uint32_t>(grid_->sides()[static_cast<std::size_t>(i)]))});
  }

  /// The link that a message enters after `last`, or first when `last` is -1; -1 when it has arrived.
  Link next(Link last, Rank from, Rank to) const {
    if (cube_) {
      const Rank at = last < 0 ? from : cube_head(last);
      return at == to ? -1 : at * cube_->dimension() + std::countr_zero(static_cast<std::uint64_t>(at ^ to));
    }
    if (grid_) return last < 0 ? first_on_grid(number(from), number(to), axes_.size()) : next_on_grid(last, number(to));
    if (crossbar_) return last < 0 ? from * crossbar_->ranks() + to : -1;
    if (ring_) return next_on_ring(last, from, to);
    path_.clear();
    topology_.route(from, to, path_);
    if (last < 0) return path_.front();
    const auto after = std::find(path_.begin(), path_.end(), last) + 1;
    return after == path_.end() ? -1 : *after;
  }

 private:
  Link next_on_ring(Link last, Rank from, Rank to) const {
    const Rank p = ring_->ranks();
    if (last >= 0) {
      const Rank at = ring_->head(last);
      return at == to ? -1 : 2 * at + last % 2;
    }
    return p == 2 ? from : 2 * from + (2 * wrap(to - from, p) <= p ? 0 : 1);
  }
  /// One axis after the other, the last first, the shorter way, up at a tie: the first link along the axes before
  /// `end`.
  Link first_on_grid(std::uint32_t at, std::uint32_t to, std::size_t end) const {
    for (std::size_t i = end; i-- > 0;) {
      const std::uint32_t here = coordinate(at, i), there = coordinate(to, i);
      if (here == there) continue;
      const std::uint32_t side = axes_[i].side.by(), ahead = there > here ? there - here : there + side - here;
      const bool up = grid_->wraps() ? 2 * ahead <= side : there > here;
      return Link{at} * per_rank_.by() + static_cast<Link>(2 * i + (up ? 0 : 1));
    }
    return -1;
  }
  /// A route's rest is the route from where it is: on along the axis until that is done.
  Link next_on_grid(Link last, std::uint32_t to) const {
    const std::uint32_t tail = per_rank_.quotient(number(last)), way = number(last) - per_rank_.by() * tail;
    const std::size_t axis = way / 2;
    const std::uint32_t here = coordinate(tail, axis), step = axes_[axis].step.by(), most = axes_[axis].side.by() - 1;
    const bool up = way % 2 == 0, round = here == (up ? most : 0);
    const std::uint32_t on = up ? step : 0 - step, back = up ? 0 - most * step : most * step;
    const std::uint32_t at = tail + (round ? back : on),
                        there = up ? (round ? 0 : here + 1) : (round ? most : here - 1);
    if (there != coordinate(to, axis)) return Link{at} * per_rank_.by() + way;
    return at == to ? -1 : first_on_grid(at, to, axis);
  }
  Rank cube_head(Link link) const {
    const std::uint32_t tail = per_rank_.quotient(number(link));
    return tail ^ std::uint32_t{1} << (number(link) - per_rank_.by() * tail);
  }
  std::uint32_t coordinate(std::uint32_t rank, std::size_t axis) const {
    return axes_[axis].side.remainder(axes_[axis].step.quotient(rank));
  }
  static std::uint32_t number(std::int64_t n) { return static_cast<std::uint32_t>(n); }

  struct Axis {
    Divisor step, side;
  };

  const Topology& topology_;
  const Hypercube* cube_;
  const Ring* ring_;
  const Crossbar* crossbar_;
  const Grid* grid_;
  Divisor per_rank_;        ///< links that a rank of a cube or grid has
  std::vector<Axis> axes_;  ///< of a grid
  mutable std::vector<Link> path_;
};

}  // namespace quadrille
