// Between whom the results of an all-reduce must pass: ranks, nodes, or groups of ranks with few links between them.
#pragma once

#include <string>
#include <vector>

#include "flow/ratio.hpp"
#include "pricing/network_needs.hpp"

namespace quadrille::pricing {

/// Between whom results and contributions pass: the party of each vertex, -1 for those of none; the first of several.
struct PartiesThatBind {
  std::vector<std::int64_t> party = {};
  std::string why = {};
  flow::Ratio time = 0;
};
PartiesThatBind parties_that_bind(const Spec& spec, const NetworkGraph& graph);

}  // namespace quadrille::pricing
