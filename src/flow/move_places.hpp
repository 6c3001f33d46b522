// Where parcels wait at ranks on their way.
#pragma once

#include "flow/exchange_ways.hpp"

namespace quadrille::flow {

/// Gives the moves places, and counts these. Moves are in the order of rounds. What a place holds leaves in one round,
/// something else may come in the next.
void give_places(ExchangeRounds& exchange, const Network& network);

}  // namespace quadrille::flow
