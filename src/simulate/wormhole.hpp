// Model W: a schedule in time on links that a message has to itself from end to end. No rank waits for a round to end,
// only for its own messages and for the links they need.
#pragma once

#include <vector>

#include "quadrille/base.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/schedule.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// How a schedule went. Messages are in their order of priority.
struct WormholeRun {
  struct Message {
    Round round;
    Rank from, to;
    Bytes bytes;
    Seconds requested;   ///< both ends had their software done
    Seconds start, end;  ///< on the wire
  };
  Seconds makespan = 0;
  Seconds waited = 0;  ///< for links and ports, over all messages
  std::vector<Message> messages;
};

struct WormholeOptions {
  Round first = 0, last = -1;                     ///< the rounds from first up to, not with, last; -1: all
  std::int64_t messages = std::int64_t{1} << 24;  ///< refuse more with Error(budget)
};

/// Runs the messages of a schedule on the links of a network, each holding its whole route (wormhole, circuit; one link
/// when messages are stored and forwarded):
/// - a rank enters a round in which it has messages when those of its earlier rounds are complete, and after a barrier
///   when all ranks have come to it; then it spends alpha on each message it sends or receives, one after another;
/// - a message is requested when both its ends have done so, and starts as soon as every link of its route and, on
///   machines with one port, the ports of both ends are free; it holds them for per_hop * links + beta * bytes;
/// - of messages that wait the one requested first is tried first, then the one of the lower round, then the one that
///   starts or ends at the lower rank; one that is blocked lets others pass.
/// What a rank rearranges in a round costs it rho a byte before the round's messages. Deterministic: equal times are
/// equal, whatever sums they come from.
WormholeRun run_wormhole(const Topology& topology, const Machine& machine, const Schedule& schedule,
                         const WormholeOptions& options = {});

}  // namespace quadrille
