// Ways of an optimal flow, from rank to rank, and what they take.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "flow/exchange_flow.hpp"
#include "flow/splitting.hpp"
#include "schedule/pipelined_ways.hpp"

namespace quadrille::algorithm::kit {

/// What flows: over links that ranks choose, or over routes that share them.
struct FlowGround {
  flow::Network network;
  flow::SharedLinks shared = {};
  double unit = 1;  ///< bytes on a plain link as slow as one over a capacity of 1
};

/// Demands and where they flow as numbers, to find answers by.
std::vector<std::int64_t> flow_key(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands);

/// So much of a message of a way crosses a link, as what one rank sends another is divided among ways past switches.
struct Crossing {
  std::int32_t message = 0, link = 0;
  double share = 1;
};
struct FlowPlan {
  std::vector<schedule::PartsWay> ways;               ///< cut at the ranks that they come to
  std::vector<std::vector<Crossing>> crossed;         ///< by each way
  std::vector<std::int64_t> capacity;                 ///< of links
  flow::LogicalNetwork logical;                       ///< how what one rank sends another passes switches
  double share = 1;                                   ///< words on the busiest link, over its capacity
  std::int64_t longest = 1, segments = 1, crowd = 1;  ///< messages of a way; of all ways; of a rank in a round
  std::int64_t slots = 1;                             ///< parts in all messages of a round
};
/// One of those that were found lately, or a new one.
std::shared_ptr<const FlowPlan> flow_plan(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands);

}  // namespace quadrille::algorithm::kit
