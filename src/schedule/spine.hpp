// When the pieces of a pipeline are worked on inside nodes: around the schedule between nodes, which runs as it is.
#pragma once

#include <vector>

#include "schedule/levels.hpp"

namespace quadrille::schedule {

/// A phase under way, by its number.
struct Run {
  Round start = 0, end = 0;
  std::size_t phase = 0;
  bool after = false;  ///< of a piece: goes on when the piece has been between nodes
};

struct Pipeline {
  std::vector<Phase> phases;
  Run spine;
  std::vector<std::vector<Run>> runs;  ///< of every node but the spine, in the order in which they start
};
Pipeline pipeline(Phase spine, std::vector<Piece> pieces, Follows follows);

}  // namespace quadrille::schedule
