// An execution plan as its GPUs perform it: what comes before what, and the round of every move.
#pragma once

#include <vector>

#include "interchange/mscclpp_parse.hpp"

namespace quadrille::interchange {

/// A run of chunks that goes from one place to another.
struct PlanMove {
  const PlanStep* step = nullptr;
  Rank gpu = 0;           ///< that performs it
  std::size_t which = 0;  ///< of a put's pairs
  Round round = 0;

  const PlanRef& from() const { return step->sources[step->name == "re" ? 1 : which]; }
  const PlanRef& to() const { return step->targets[which]; }
  const PlanRef* operand() const { return step->name == "re" ? step->sources.data() : nullptr; }
};

/// Performs the plan, and lists its moves in an order in which they may happen. Rounds are those that the plan says, or
/// the earliest ones. Throws Error(format) naming the operation where a thread block waits for ever, where signals are
/// left over, where nothing orders two moves that touch the same chunk, where rounds contradict that order, and where
/// shares of a move differ; Error(budget) for more than can be performed.
std::vector<PlanMove> run_plan(const PlanText& plan);

}  // namespace quadrille::interchange
