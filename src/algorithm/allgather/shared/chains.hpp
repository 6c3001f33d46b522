// Daisy chains along one axis after the other: an all-to-all broadcast in bundles, for allgather_axes and its form in
// parts.
#pragma once

#include "algorithm/pattern/axes.hpp"

namespace quadrille::algorithm::allgather {

/// A part that blocks are cut in: the axes in the order it goes along them, and which way round; or both ways, each to
/// half of the others, on an even side one more in `direction`.
struct ChainPart {
  std::vector<int> order;
  Rank direction = 1;
  bool both = false;
};

/// In a phase every part goes along another axis or another way. `phases`: each round in two halves where an axis needs
/// it, which with several parts is left to half_split.
SchedulePtr chains_schedule(const pattern::Axes& axes, Bytes bytes, std::vector<ChainPart> parts,
                            const std::vector<pattern::AxisPhase>& phases);

}  // namespace quadrille::algorithm::allgather
