// Scatter along one axis after the other: the root's line first, then every rank of it along its own, and so on; shared
// by scatter_axes and its form in parts.
#pragma once

#include "algorithm/axes.hpp"

namespace quadrille {

/// How far the root's data goes up and down an axis, counted from the root.
struct Reach {
  Rank up, down;
  Rank far() const { return std::max(up, down); }
};
/// On a torus the shorter way round, up to half way; on a mesh to its edges.
Reach reach_of(const Axes& axes, int axis, Rank root);

/// From rank 0, counted from the root; one list of axes for each part that blocks are cut in. Farthest first; the
/// bundle for distance d crosses the h-th link in round interval*(far - d) + h of the phase, counted from 1.
SchedulePtr lines_schedule(const Axes& axes, Bytes bytes, std::vector<std::vector<int>> orders,
                           std::vector<Reach> reach, const std::vector<AxisPhase>& phases, Round interval);

}  // namespace quadrille
