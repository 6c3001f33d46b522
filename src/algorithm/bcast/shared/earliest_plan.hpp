// A broadcast planned message by message: of all that could be sent next, the message that arrives earliest.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::algorithm::bcast {

struct EarliestMessage {
  Rank from, to;
  std::int64_t part;
  Round round;
};

struct EarliestBroadcast {
  std::vector<EarliestMessage> messages;  ///< by round and sender, in the order in which that sends them
  Round rounds = 0;
  bool meet = false;     ///< two messages of one round cross a link; half duplex: a wire
  int most_at_rank = 0;  ///< messages that one rank sends or receives in a round
};

/// The message in so many parts, each of which goes from its holders to the ranks that lack it, planned for parts of
/// `part_bytes`, whatever the message has: so more bytes never make a plan cheaper. Answers are remembered, because a
/// plan asks for the same one several times.
std::shared_ptr<const EarliestBroadcast> earliest_broadcast(const Spec& spec, const Machine& machine,
                                                            std::int64_t parts, Bytes part_bytes);

}  // namespace quadrille::algorithm::bcast
