// Moves of an exchange over links that several arcs share, put into fewer rounds.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/exchange_ways.hpp"

namespace quadrille::flow {

/// Until there are `least` rounds, or nothing more is found in two seconds: takes out the last round, and gives
/// each of its moves the round of those in its way that had to make room least often; these are put elsewhere in turn.
/// Every link carries one move in a round, with one port so do ranks, and moves of a parcel stay in their order. Moves
/// are in the order of rounds before and after. Returns how many rounds there are.
std::int32_t in_fewer_rounds(std::vector<Move>& moves, const Network& network, const LinksOfArcs& links, bool one_port,
                             std::int64_t least);

}  // namespace quadrille::flow
