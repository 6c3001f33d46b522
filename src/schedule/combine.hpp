// Schedules made from schedules. Each combinator keeps what its part proves and says what it changes.
#pragma once

#include <functional>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Every round becomes two: first the messages whose sender has colour 0, then those of colour 1 (and local
/// permutations with the first). Makes a schedule that uses both directions of a wire fit half-duplex wires, when every
/// link joins different colours. [docs/how-it-works/derivations.md]
SchedulePtr half_split(SchedulePtr base, TopologyPtr colours);

/// Rank and block names changed: rank x of `base` becomes to(x); from() is its inverse. Loses any claim of symmetry.
struct Renaming {
  std::function<Rank(Rank)> to, from;
};
SchedulePtr relabel(SchedulePtr base, Renaming names);
SchedulePtr relabel_xor(SchedulePtr base, Rank root);    ///< root 0 becomes `root` on a hypercube
SchedulePtr relabel_shift(SchedulePtr base, Rank root);  ///< root 0 becomes `root` on anything that turns

/// Rounds backwards, sends and receives exchanged, in and out exchanged: a scatter becomes a gather.
SchedulePtr reverse(SchedulePtr base);

/// Every block cut in `dimensions` parts; part t runs `base` (for 2^dimensions ranks, uncut blocks of `bytes`) with
/// ranks and labels rotated left by t bits, all at once; needs all ports
SchedulePtr rotated(SchedulePtr base, Bytes bytes);

/// The same, whose messages take the ways that this network has. [Topology::with_ways()]
SchedulePtr on_network(SchedulePtr base, TopologyPtr network);

}  // namespace quadrille::schedule
