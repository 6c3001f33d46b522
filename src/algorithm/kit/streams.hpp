// Parts of a message that travel side by side, each in packets of its own, and what that costs in lockstep.
#pragma once

#include <vector>

#include "quadrille/cost.hpp"

namespace quadrille::algorithm::kit {

/// Rounds, counted from 1, in which the first n packets are on the way: first .. last + (n - 1) / lanes.
struct Window {
  Round first, last;
  std::int64_t lanes = 1;  ///< packets that start in the same round
};

/// A part in packets of nearly equal size, larger ones first.
struct Stream {
  Bytes bytes;
  std::int64_t packets;
  std::vector<Window> windows;  ///< a packet may be sent on again later
};

/// Every round costs its largest packet: the bytes are, summed over all sizes, the rounds in which some packet of at
/// least that size is on the way.
Cost streams_cost(const std::vector<Stream>& streams);

}  // namespace quadrille::algorithm::kit
