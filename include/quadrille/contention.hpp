// Where messages compete for wires: the competition factor S of Foster 1995, section 3.7. A round lasts t_s + t_w S L
// when S messages of L words share its busiest wire.
#pragma once

#include <vector>

#include "quadrille/base.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// What a wire's competitors are: all messages over it, or the ranks that sent them.
enum class Who { messages, senders };

/// How competitors are counted.
struct Counting {
  Who who = Who::messages;
  /// On a bus only one partner of every exchange, as the book counts: it charges a rank for its own half-step alone.
  bool half_bus = false;
};

/// A message from one rank to another.
struct Envelope {
  Rank from, to;
  Bytes bytes;
};

/// What one wire carries in a round.
struct LinkContention {
  Link link = -1;
  std::int64_t messages = 0, senders = 0;
  Bytes bytes = 0;         ///< of all messages
  Bytes sender_bytes = 0;  ///< of each sender's largest message over the wire
  std::int64_t count(Who who) const { return who == Who::messages ? messages : senders; }
  Bytes volume(Who who) const { return who == Who::messages ? bytes : sender_bytes; }
};

/// One round with a message.
struct RoundContention {
  Round round = 0;
  std::int64_t messages = 0;                     ///< that are counted
  std::int64_t by_messages = 1, by_senders = 1;  ///< S: on the wire with the most
  Bytes largest = 0;                             ///< bytes of the largest message
  Bytes bytes = 0, sender_bytes = 0;             ///< on the wire with the most
  Link used = 0, shared = 0;                     ///< wires that carry a message, and more than one
  std::vector<LinkContention> worst;             ///< the most contended first, as many as asked for
  std::int64_t s(Who who) const { return who == Who::messages ? by_messages : by_senders; }
  /// t_s + t_w S L for messages of one length; in general the bytes of the busiest wire in place of S L.
  Seconds time(const Machine& machine, Who who) const {
    return machine.alpha + machine.beta * static_cast<double>(who == Who::messages ? bytes : sender_bytes);
  }
};

/// The messages of one round on the topology's routes. Messages to oneself use no wire and do not count.
RoundContention contention(const Topology& topology, const std::vector<Envelope>& messages, const Counting& counting,
                           std::size_t most_links = 0);

/// A schedule's rounds with a message, on any topology of as many ranks.
struct Contention {
  std::vector<RoundContention> rounds;
  Seconds time = 0;                       ///< all rounds together
  Seconds alone = 0;                      ///< the same if no two messages met: S = 1 throughout
  Seconds least_rank = 0, most_rank = 0;  ///< the rounds that one rank takes part in
  bool by_symmetry = false;
  std::int64_t s(Who who) const;
};
/// Throws Error(argument) when the numbers of ranks differ, Error(budget) beyond `work` rank-rounds.
Contention contention(const Topology& topology, const Machine& machine, const Schedule& schedule,
                      const Counting& counting, std::size_t most_links = 0, std::int64_t work = std::int64_t{1} << 31);

}  // namespace quadrille
