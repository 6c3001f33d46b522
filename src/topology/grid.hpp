// Ranks in a box of any number of dimensions, joined along every axis: a mesh, and a torus where the axes wrap round.
#pragma once

#include <vector>

#include "base/divisor.hpp"
#include "base/integer.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// Rank = the coordinates read as digits, the last one fastest: row * columns + column. Link 2 * (rank * D + i) + dir
/// leads from `rank` along axis i, up for dir 0 and down for dir 1; at a mesh's edge the number means nothing. Routes
/// follow one axis after the other, the last axis first; on a torus the shorter way round, and up when exactly half
/// way. A torus side of 2 is one wire, whose links both have dir 0; a side of 1 has none.
class Grid final : public Topology {
 public:
  Grid(std::vector<Rank> sides, bool wraps);

  bool wraps() const { return wraps_; }
  const std::vector<Rank>& sides() const { return sides_; }
  Rank step(int axis) const { return steps_[static_cast<std::size_t>(axis)]; }  ///< ranks between neighbours
  Rank coordinate(Rank r, int axis) const {
    if (!small_) return r / step(axis) % side(axis);
    const Digit& digit = digits_[static_cast<std::size_t>(axis)];
    return digit.side.remainder(digit.step.quotient(static_cast<std::uint32_t>(r)));
  }
  /// The rank one further along an axis, up for sign > 0 and down for sign < 0; -1 beyond a mesh's edge.
  Rank neighbour(Rank r, int axis, int sign) const;
  /// Calls visit(start, axis, links) for each straight part of a route; links < 0: down the axis.
  template <class Visit>
  void each_leg(Rank from, Rank to, Visit visit) const {
    for (int i = axes(); i-- > 0;)
      if (const Rank way = along(i, from, to); way != 0) {
        visit(from, i, way);
        from += (coordinate(to, i) - coordinate(from, i)) * step(i);
      }
  }

  std::string_view family() const override { return wraps_ ? "torus" : "mesh"; }
  std::string text() const override;
  std::string describe() const override;
  Rank ranks() const override { return ranks_; }
  Link links() const override { return 2 * ranks_ * axes(); }
  std::int64_t wires() const override;
  int diameter() const override;
  int distance(Rank from, Rank to) const override;
  Rank farthest(Rank from) const override;
  int degree() const override;
  int least_degree() const override;
  int degree_at(Rank rank) const override;
  Structure structure() const override { return {.grid = this}; }
  void route(Rank from, Rank to, std::vector<Link>& path) const override;
  Rank tail(Link link) const override { return link / 2 / axes(); }
  Rank head(Link link) const override { return neighbour(tail(link), axis_of(link), link % 2 == 0 ? 1 : -1); }
  Link reverse(Link link) const override;
  std::int64_t bisection() const override;
  Rank bisection_ranks() const override;
  std::int64_t total_distance(Rank from) const override;
  std::int64_t sum_of_distances() const override;
  double mean_distance() const override;
  std::optional<int> colour(Rank rank) const override;
  bool invariant(Group group) const override;
  Link representative(Link link, Group group) const override;

 private:
  int axes() const { return static_cast<int>(sides_.size()); }
  Rank side(int axis) const { return sides_[static_cast<std::size_t>(axis)]; }
  int axis_of(Link link) const { return static_cast<int>(link / 2 % axes()); }
  Rank along(int axis, Rank from, Rank to) const;
  std::int64_t farthest_along(int axis) const { return wraps_ ? side(axis) / 2 : side(axis) - 1; }
  int narrowest_axis() const;
  /// Divides by multiplication: coordinates are what trees and routes are made of.
  struct Digit {
    base::Divisor step, side;
  };
  std::int64_t cut_links(int axis) const;

  std::vector<Rank> sides_, steps_;
  std::vector<Digit> digits_;  ///< of axes, when ranks are 32-bit numbers
  Rank ranks_ = 1;
  bool wraps_, small_;
};

}  // namespace quadrille::topology
