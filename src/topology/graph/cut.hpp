// A narrow cut of a graph into halves of its ranks.
#pragma once

#include "topology/graph/arcs.hpp"

namespace quadrille::topology {

struct Cut {
  std::int64_t width = 0;  ///< of the links that leave the smaller side
  Rank ranks = 0;          ///< on the smaller side
};

/// The narrowest of some cuts into halves: of ranks in their order, of ranks as searches from several vertices find
/// them, and of few ranks shuffled, the same on every run. Switches, and pairs of few ranks, change sides while that
/// helps. It is a cut; there may be a narrower one.
Cut narrow_cut(const Network& network, const Arcs& arcs);

}  // namespace quadrille::topology
