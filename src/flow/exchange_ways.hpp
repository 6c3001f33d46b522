// A complete exchange in rounds, on a network of hosts alone: every chunk has a way, chosen so that no link has much
// more than its share, and waits at hosts where others go first.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/network.hpp"

namespace quadrille::flow {

/// Over this arc in this round, from the place in its tail's memory where the move before has put it.
struct Move {
  std::int32_t round = 0, arc = 0;
  std::int32_t source = 0, target = 0, chunk = 0;  ///< ranks, and which chunk of the block
  std::int32_t from_place = -1, to_place = -1;     ///< of those for this chunk number; -1: where it starts, or is due
};
struct ExchangeRounds {
  std::vector<Move> moves;  ///< in the order of rounds
  std::int32_t rounds = 0;
  std::int32_t places = 0;      ///< for each chunk number, at the rank that needs most
  std::int64_t congestion = 0;  ///< rounds in which the busiest link is busy
};
/// An arc carries as many chunks in a round as its capacity says. Throws Error(argument) where there is a switch, or a
/// rank cannot be reached. Time: about chunks * ranks * 30 searches for shortest ways.
ExchangeRounds exchange_in_rounds(const Network& network, std::int32_t chunks);

}  // namespace quadrille::flow
