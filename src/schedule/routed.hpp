// A schedule between ranks that are no neighbours, on a network: every message goes over links, and waits at ranks on
// its way where it has to.
#pragma once

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// What messages of one round may share. Ranks that neither send nor receive more than one are one_port; where
/// one_task holds, no rank sends and receives.
struct Sharing {
  bool hop_by_hop = true;  ///< a round takes a message over one link; otherwise over its whole route
  bool free_links = true;  ///< no two messages on a link; otherwise they may meet, but not two of the same pair
  bool one_way = false;    ///< no two on the two links of a wire
  bool one_port = false;
  bool one_task = false;
};

/// The messages of the base, each as early as what it takes is there, its place is free, and nothing else is on its
/// links. Those of earlier rounds of the base are first. Ranks keep what they pass on in scratch. Throws Error(budget)
/// where messages cross more than `most` links, Error(illegal) where blocks of unequal lengths would have to wait.
SchedulePtr routed(const Schedule& base, const Topology& network, const Sharing& sharing, std::int64_t most);

/// The same with the whole vector of a reduction as one block, cut wherever a block or a piece of one ends. For bases
/// whose scratch is of the form of their results.
SchedulePtr as_one_block(SchedulePtr base);

}  // namespace quadrille::schedule
