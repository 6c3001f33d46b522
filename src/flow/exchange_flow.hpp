// Ways for what ranks have for others, each with a share of it, so that all together use every link evenly.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/exchange_ways.hpp"
#include "flow/network.hpp"
#include "flow/shortest_trees.hpp"

namespace quadrille::flow {

/// What one rank has for another, cut in so many equal parts.
struct FlowDemand {
  std::int32_t source = 0, target = 0;
  std::int32_t words = 1, parts = 1;
};
/// So many of a demand's parts go this way.
struct FlowWay {
  std::int32_t demand = 0, parts = 1;
  std::vector<std::int32_t> arcs;  ///< of the network, in order
  bool operator==(const FlowWay&) const = default;
};
/// Every part has a way; those of a demand with the same way are one. By demand. Switches may be
/// passed, and hosts. On small networks whose arcs share no links the ways are those of the optimum, but for the parts
/// being whole; else they are searched for, part by part. A second or less, or as long as exchange_in_rounds() takes.
/// Who has something for another must reach it.
std::vector<FlowWay> exchange_flow(const Network& network, const std::vector<FlowDemand>& demands,
                                   const SharedLinks& shared = {});

/// Demands as what all ranks want.
Wants wants_of(const Network& network, const std::vector<FlowDemand>& demands);

/// Words that the busiest link carries for each unit of its capacity.
double busiest_share(const Network& network, const std::vector<FlowDemand>& demands, const std::vector<FlowWay>& ways,
                     const SharedLinks& shared = {});

}  // namespace quadrille::flow
