// Daisy chains along one axis after the other: an all-to-all broadcast in bundles, for allgather_axes and its form in
// parts.
#pragma once

#include "algorithm/axes.hpp"

namespace quadrille {

/// One list of axes for each part that blocks are cut in; in a phase every part goes along another axis. `halves`: each
/// round in two halves where an axis needs it, which with several parts is left to half_split.
SchedulePtr chains_schedule(const Axes& axes, Bytes bytes, std::vector<std::vector<int>> orders,
                            const std::vector<AxisPhase>& phases);

}  // namespace quadrille
