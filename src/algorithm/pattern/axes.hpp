// A torus, mesh or ring as axes: algorithms that go along one axis after the other, and what they have in common.
#pragma once

#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::pattern {

/// The sides longer than 1, in the order of the topology; the last coordinate runs fastest. A ring is one axis.
struct Axes {
  std::vector<Rank> sides, steps;  ///< steps[i]: from rank to rank along axis i
  bool wraps = true;

  int count() const { return static_cast<int>(sides.size()); }
  Rank ranks() const { return steps.front() * sides.front(); }
  Rank side(int axis) const { return sides[static_cast<std::size_t>(axis)]; }
  Rank step(int axis) const { return steps[static_cast<std::size_t>(axis)]; }
  Rank coordinate(Rank r, int axis) const { return r / step(axis) % side(axis); }
  /// The rank with another coordinate on one axis.
  Rank with(Rank r, int axis, Rank coordinate) const {
    return r + (coordinate - this->coordinate(r, axis)) * step(axis);
  }
  /// The rank `by` places on along an axis, round its end.
  Rank along(Rank r, int axis, Rank by) const;
  /// Coordinate by coordinate, each modulo its side.
  Rank plus(Rank a, Rank b) const;
  Rank minus(Rank a, Rank b) const;
  bool equal_sides() const;
};
Axes axes_of(const std::vector<Rank>& sides, bool wraps);
/// Of a ring, torus or mesh.
Axes axes_of(const Spec& spec);

/// "needs a torus or a ring, and crossbar:6 is neither; nearest: ring:6" or empty.
std::string needs_wrapping_axes(const Spec& spec);
/// Why `axis` is none of the axes; empty when it is one.
std::string axis_illegal(const Axes& axes, std::int64_t axis);
/// The parameter that says which axis comes first.
Parameter first_parameter();
/// The parameter that says whether what is for the rank half way round goes both ways.
Parameter ways_parameter();
/// One variant for every axis that can be first, and one without parameters where there is no choice.
std::vector<Params> first_variants(const Spec& spec, const Machine& machine);
/// All axes from `first` on, cyclically up or down.
std::vector<int> order_from(const Axes& axes, int first, int direction);

/// Rank x counted from the root, coordinate by coordinate round the axes; rank 0 is the root.
schedule::Renaming from_root(const Axes& axes, Rank root);

/// Whether a round in which every rank of a ring of `side` ranks sends and receives takes two here: the ranks of even
/// and of odd coordinate in turn. Two ranks share one wire. [docs/reference/errata.md, E-30]
bool axis_splits(const Machine& machine, Rank side);
/// Why such rounds cannot be split on some axis; empty when none is or can be.
std::string axes_split_illegal(const Spec& spec, const Axes& axes, const Machine& machine);

/// Why an algorithm cannot run on all axes at once, a part of every block first along each.
std::string all_axes_illegal(const Spec& spec, const Machine& machine);

/// Rounds along one axis after another; each round may be played in two halves.
struct AxisPhase {
  Round rounds;
  int halves;
};
struct Moment {
  int phase;
  Round round;  ///< of the phase, halves counted once
  int half;     ///< -1: not halved
};
Moment moment_of(const std::vector<AxisPhase>& phases, Round t);
Round total_rounds(const std::vector<AxisPhase>& phases);

/// Appends the ranks that agree with `first` on all axes but those in `free`, as slots of one piece, in rank order.
/// The coordinates of `first` on the free axes are 0.
template <class Append>
void each_run(const Axes& axes, Slot first, const std::vector<bool>& free, Append append) {
  Slots inner{first, 1, 1, 1};
  std::vector<std::pair<Slot, Slot>> outer;  // count and stride, innermost first
  for (int i = axes.count(); i-- > 0;) {
    if (!free[static_cast<std::size_t>(i)]) continue;
    const Slot n = axes.side(i), stride = axes.step(i);
    if (!outer.empty() || (inner.size > inner.run && stride != inner.stride * (inner.size / inner.run)))
      outer.emplace_back(n, stride);
    else if (inner.size == inner.run && stride == inner.size)
      inner.run = inner.stride = inner.size = n * inner.size;
    else
      inner.stride = inner.size == inner.run ? stride : inner.stride, inner.size *= n;
  }
  Slot repeats = 1;
  for (const auto& [n, stride] : outer) repeats *= n;
  for (Slot i = 0; i < repeats; ++i) {
    Slots part = inner;
    Slot rest = i;
    for (const auto& [n, stride] : outer) part.first += rest % n * stride, rest /= n;
    append(part);
  }
}

}  // namespace quadrille::algorithm::pattern
