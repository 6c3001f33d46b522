// Nodes with many ranks: a network of nodes whose memories the ranks share.
#pragma once

#include <string_view>

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// "torus:4x4*8", "fattree:16*32/2": so many ranks on each node of a network; behind a slash, how many rails a node
/// has, which makes every link at a node so many times as wide. `operand` is what stands behind the '*', `all` the
/// whole text, for messages. Throws Error(argument).
TopologyPtr with_ranks_on_nodes(const TopologyPtr& network, std::string_view operand, std::string_view all);

}  // namespace quadrille::topology
