// The scatters, for their files and for the gathers, which are the same run backwards. [Saad & Schultz; D6]
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille {

Algorithm scatter_axes();
Algorithm scatter_axes_rotated();
Algorithm scatter_chain();
Algorithm scatter_direct();
Algorithm scatter_halving();
Algorithm scatter_memory();
Algorithm scatter_rotated();
Algorithm scatter_star();
Algorithm scatter_tree();
Algorithm scatter_twoway();

/// From rank 0 by halves, of which the upper one is handed over: every message is one run of memory, and a rank that
/// hands blocks on moves its own to its place.
SchedulePtr scatter_tree_schedule(Rank ranks, Bytes bytes);

/// Whether some rank but the root gets blocks to hand on.
inline bool scatter_tree_waits(Rank ranks) { return ranks > 3; }

/// From rank 0 along 0, 1, ..., `up` and along 0, P-1, ..., P-`down`, up >= down, one block a message, the farthest
/// first; `interval` as in Pipe.
SchedulePtr scatter_chain_schedule(Rank ranks, Bytes bytes, Rank up, Rank down, Round interval);
/// i*(up - 1) + 1 messages of a block. With interval 1 every block arrives in the last round.
Cost scatter_chain_cost(Bytes bytes, Rank up, Round interval);

}  // namespace quadrille
