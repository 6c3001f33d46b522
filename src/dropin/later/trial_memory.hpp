// Memory of our own for the trial of a call whose bytes all ranks know.
#pragma once

#include <vector>

#include "dropin/later/later_trial.hpp"
#include "dropin/later/stand_in.hpp"

namespace quadrille::dropin {

class TrialMemory {
 public:
  /// `by`: of reductions.
  TrialMemory(Request request, const mpi::reduction& by, RankGroup& group);
  TrialMemory(const TrialMemory&) = delete;
  TrialMemory& operator=(const TrialMemory&) = delete;

  /// Collective, for a LaterTrial that ends before this does.
  TrialCall call(Ending ending);

 private:
  void lay_out();

  const Request request_;
  const StandIn stand_in_;
  RankGroup& group_;
  std::vector<std::byte> in_, out_;
  std::vector<int> counts_, displaces_;
  Buffers own_;  ///< the call, on this memory
};

}  // namespace quadrille::dropin
