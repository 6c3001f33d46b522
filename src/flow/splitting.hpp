// Switches of a network replaced by arcs between ranks that pass them, so that trees still fit (Bang-Jensen, Frank and
// Jackson 1995).
#pragma once

#include <cstdint>
#include <vector>

#include "flow/cuts.hpp"
#include "flow/network.hpp"

namespace quadrille::flow {

/// So much of an arc between ranks passes these switches, in their order.
struct Through {
  std::int64_t amount = 0;
  std::vector<Vertex> switches;
};

struct LogicalNetwork {
  Network network;                         ///< vertex = rank
  std::vector<std::vector<Through>> ways;  ///< of its arcs; amounts sum up to their capacities
  bool complete = false;                   ///< all trees that were asked for still fit
};

struct SplitEffort {
  std::int64_t flows = 1 << 17;  ///< that are looked for, about
};

/// Of a network into which so many trees, rooted at each rank, fit. Where switches take in as much as they give out,
/// the result has room for them, unless the effort is spent before.
LogicalNetwork split_off(const Network& network, const Words& trees, const SplitEffort& effort = {});

/// No arc of the network carries more than its capacity; throws Error(internal) otherwise.
void check_ways(const Network& network, const LogicalNetwork& logical);

}  // namespace quadrille::flow
