// A schedule that was searched for, as a list of messages, each a run of pieces of one block.
#pragma once

#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Pieces first .. first + pieces - 1 of a block go from one rank to another, which keeps them in the same place.
struct PieceRun {
  std::int32_t round = 0, from = 0, to = 0, label = 0;
  std::int64_t first = 0, pieces = 1;
};

/// All is in `out`. Nobody may hand over what comes in that round or later, nor get a piece twice, nor send two runs of
/// a block to one other in a round: a proof finds out.
SchedulePtr of_runs(const Shape& shape, const std::vector<PieceRun>& runs);

}  // namespace quadrille::schedule
