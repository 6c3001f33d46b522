// What gathers, which are scatters run backwards, and other scatters need of them.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

namespace scatter_axes {
Algorithm describe();
}
namespace scatter_axes_rotated {
Algorithm describe();
}
namespace scatter_chain {
Algorithm describe();
}
namespace scatter_direct {
Algorithm describe();
}
namespace scatter_halving {
Algorithm describe();
}
namespace scatter_memory {
Algorithm describe();
}
namespace scatter_rotated {
Algorithm describe();
}
namespace scatter_star {
Algorithm describe();
}
namespace scatter_tree {
Algorithm describe();
}
namespace scatter_twoway {
Algorithm describe();
}

namespace scatter {

/// From rank 0 by halves, of which the upper one is handed over: every message is one run of memory, and a rank that
/// hands blocks on moves its own to its place.
SchedulePtr tree_schedule(Rank ranks, Bytes bytes);

/// Whether some rank but the root gets blocks to hand on.
inline bool tree_waits(Rank ranks) { return ranks > 3; }

/// From rank 0 along 0, 1, ..., `up` and along 0, P-1, ..., P-`down`, up >= down, one block a message, the farthest
/// first; `interval` as in Pipe.
SchedulePtr chain_schedule(Rank ranks, Bytes bytes, Rank up, Rank down, Round interval);
/// i*(up - 1) + 1 messages of a block. With interval 1 every block arrives in the last round.
Cost chain_cost(Bytes bytes, Rank up, Round interval);

}  // namespace scatter

}  // namespace quadrille::algorithm
