// Scatter along one axis after the other: the root's line first, then every rank of it along its own, and so on; shared
// by scatter_axes and its form in parts.
#pragma once

#include <algorithm>

#include "algorithm/pattern/axes.hpp"

namespace quadrille::algorithm::pattern {

/// How far the root's data goes up and down an axis, counted from the root.
struct Reach {
  Rank up, down;
  Rank far() const { return std::max(up, down); }
};
/// On a torus the shorter way round, up to half way; on a mesh to its edges.
Reach reach_of(const Axes& axes, int axis, Rank root);

/// A share of every block: the axes in the order it goes along them, and how far along each, by axis.
struct LinePart {
  std::vector<int> order;
  std::vector<Reach> reach;
};
/// Every part once more with up and down exchanged: what is for the rank half way round goes half either way.
std::vector<LinePart> both_ways(const std::vector<LinePart>& parts);
/// Why that does not help on rings of `side` ranks; empty when it does.
std::string ways_illegal(const Machine& machine, Rank side, std::int64_t ways);

/// From rank 0, counted from the root. Farthest first; the bundle for distance d crosses the h-th link in round
/// interval*(far - d) + h of the phase, counted from 1.
SchedulePtr lines_schedule(const Axes& axes, Bytes bytes, std::vector<LinePart> parts,
                           const std::vector<AxisPhase>& phases, Round interval);

}  // namespace quadrille::algorithm::pattern
