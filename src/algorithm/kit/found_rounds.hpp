// Rounds of chunks that have ways of their own, as they were found for the last few questions.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/kit/ways.hpp"
#include "flow/exchange_ways.hpp"
#include "flow/ratio.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::kit {

flow::TakingTurns turns_of(const Machine& machine);
/// Whether chunks go over routes past ranks. Where ranks have one port, and others' messages pass them without it, ways
/// from neighbour to neighbour would need it each time. Not on hypercubes of full duplex, where straight messages
/// never meet.
Reach reach_of(const Spec& spec, const Machine& machine);
/// Whether the routes of chunks share links: through switches, or past ranks.
bool share_links(const Spec& spec, const Machine& machine);
/// Whether messages past ranks may meet on a link or in a port: short ones, and where some link is faster than others.
bool may_meet(const Spec& spec, const Machine& machine);

struct FoundRounds {
  std::shared_ptr<const flow::Network> network;  ///< whose arcs the moves name
  std::shared_ptr<const flow::ExchangeRounds> rounds;
};
/// Of a block so many chunks; of an alltoallv as many of the longest message.
FoundRounds found_rounds(const Spec& spec, const Machine& machine, std::int64_t parts);
/// Rounds of a chunk of each block that nothing beats; of an alltoallv, of a word on each link.
flow::Ratio least_found(const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::kit
