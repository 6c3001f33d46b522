// Barriers up the tree of a broadcast, where all come together, and down again.
#pragma once

#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"

namespace quadrille::algorithm::barrier {

/// The all-reduce, in the words of the broadcast: only the barrier is listed, and says what it does.
template <Algorithm (*Broadcast)()>
Algorithm up_and_down() {
  const Algorithm down = Broadcast();
  return kit::dual_of<Broadcast, kit::combined_counted>(
      Collective::allreduce,
      {.name = down.name, .summary = down.summary, .source = down.source, .closed_form = down.closed_form});
}

}  // namespace quadrille::algorithm::barrier
