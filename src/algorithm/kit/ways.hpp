// The ways from rank to rank on which rounds are searched for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flow/exchange_ways.hpp"
#include "flow/network.hpp"
#include "flow/rarest_first.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::algorithm::kit {

/// Through switches, of so many ranks each takes from all others; of more each from some.
constexpr Rank most_all_joined = 96;

struct Ways {
  std::vector<flow::Channel> channels;
  std::vector<std::int32_t> link_chunks;  ///< where channels meet on links
  std::vector<double> arriving;           ///< of every rank: how much faster than beta bytes come in
  double fastest = 1;                     ///< slowness of some link
  double slowest = 1;                     ///< of the link that carries one chunk a round
};
using WaysPtr = std::shared_ptr<const Ways>;
/// Where messages lead: over a link to a neighbour, or by routes past ranks, whose ports they do not need.
enum class Reach { neighbours, past_ranks };
/// Links between neighbours; where there are switches, routes that pass no other rank.
WaysPtr ways_of(const TopologyPtr& topology, const Machine& machine, Reach reach = Reach::neighbours);
/// Whether channels lead from rank 0 to all others and back.
bool lead_everywhere(const std::vector<flow::Channel>& channels, Rank ranks);
/// Channels as arcs between ranks.
flow::Network network_of(const Spec& spec, const Machine& machine, Reach reach = Reach::neighbours);
/// The links that routes through switches share, arc by arc of the network between ranks; none between neighbours. Of
/// routes past ranks ports are links, too, to send and to receive; and both directions of a wire of half duplex are
/// one.
flow::SharedLinks shared_links(const Spec& spec, const Machine& machine, const flow::Network& network,
                               Reach reach = Reach::neighbours);
/// Whether ranks are joined by links to choose among: those on which messages can meet, and those of a small crossbar
/// for what some ranks have for all, which would leave most of its wires idle.
bool joins_ranks(const Spec& spec);
/// Why ranks are not; empty where they are.
std::string needs_links(const Spec& spec);
/// Why links that messages can choose do not lead from every rank to every other; empty where they do.
std::string lead_somewhere(const Spec& spec, const Machine& machine);
/// Why messages cannot each choose a way over links from rank to rank, all of them at once; empty where they can.
std::string needs_free_links(const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::kit
