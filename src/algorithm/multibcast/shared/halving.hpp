// Two groups of ranks that share the sources in proportion to their sizes, broadcast each among themselves, and
// exchange at the end: the partitioning of Hambrusch, Khokhar & Liu (1995), section 3.
#pragma once

#include <vector>

#include "algorithm/pattern/merging.hpp"
#include "quadrille/collective.hpp"

namespace quadrille::algorithm::multibcast {

/// How many of `sources` the first group of p1 of p ranks gets: nearest to sources * p1 / p, halves up, and no more
/// than either group has ranks.
Slot share_of_first(Slot sources, Rank p1, Rank p);

struct Half {
  std::vector<Rank> ranks;   ///< in the order in which both groups pair up
  std::vector<Rank> placed;  ///< where its sources go, increasing ranks
  pattern::Phases phases;
};
/// The first sources in rank order move to the first group's places, the others to the second's; at the end rank x of
/// one group exchanges with rank x of the other. Where the first group is larger, by a line, the first line of the
/// second also sends to the last one of the first.
pattern::MergePlan in_two_groups(const Spec& spec, Half first, Half second);

}  // namespace quadrille::algorithm::multibcast
