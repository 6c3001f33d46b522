// A part of a network that a job was given: its hosts are the ranks, all others relay.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "topology/graph/routed.hpp"

namespace quadrille::topology {

/// Rank i is rank hosts[i] of the whole network, whose links, routes and numbers of links stay as they are.
TopologyPtr make_job(TopologyPtr whole, std::vector<std::int32_t> hosts, std::string text);
/// Its text, "torus:4x4@0-3,8". Hosts are those of the whole network, in this order; not all.
std::string job_text(const Topology& whole, const std::vector<Rank>& hosts);

}  // namespace quadrille::topology
