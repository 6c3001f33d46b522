// The ways from rank to rank on which rounds are searched for.
#pragma once

#include <memory>
#include <vector>

#include "flow/rarest_first.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::algorithm::kit {

struct Ways {
  std::vector<flow::Channel> channels;
  std::vector<std::int32_t> link_chunks;  ///< where channels meet on links
  std::vector<double> arriving;           ///< of every rank: how much faster than beta bytes come in
  double fastest = 1;                     ///< slowness of some link
};
using WaysPtr = std::shared_ptr<const Ways>;
/// Links between neighbours; where there are switches, routes that pass no other rank.
WaysPtr ways_of(const TopologyPtr& topology, const Machine& machine);
/// Whether channels lead from rank 0 to all others and back.
bool lead_everywhere(const std::vector<flow::Channel>& channels, Rank ranks);

}  // namespace quadrille::algorithm::kit
