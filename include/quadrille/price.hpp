// Prices counted from a schedule's own messages on the topology's own routes, and bounds that no schedule beats.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/cost.hpp"

namespace quadrille {

/// Totals over a whole run, counted message by message. Words of the papers are bytes here.
struct Traffic {
  Cost cost;                                        ///< the counted price
  std::int64_t messages = 0;                        ///< over all ranks
  Bytes critical_bytes = 0;                         ///< sum over rounds of the largest message
  Bytes busiest_link = 0;                           ///< bytes on the busiest directed link
  Bytes busiest_wire = 0;                           ///< both directions added
  Bytes busiest_out_port = 0, busiest_in_port = 0;  ///< bytes sent, received by one rank
  std::int64_t byte_hops = 0;                       ///< sum over messages of bytes x links crossed
  std::int64_t message_hops = 0;                    ///< sum over messages of links crossed
  std::int64_t contention = 0;                      ///< S: most messages on one directed link in a round
  Bytes combined = 0;                               ///< computed by the operator of a reduction, over all ranks
  bool by_symmetry = false;
  std::int64_t visits = 0;  ///< work done, as in CountBudget
  std::int64_t listed = 0;  ///< of it, visits to ranks and segments; the others are to links
};

/// What one round does to the network.
struct RoundTraffic {
  Round round = 0;
  std::int64_t messages = 0;
  Bytes largest = 0;            ///< bytes of the largest message
  Bytes busiest = 0;            ///< bytes on the busiest resource: what the round is charged for
  std::int64_t contention = 0;  ///< S of the round
  Link busiest_link = -1;       ///< where S is reached
  std::int64_t hops = 0;        ///< longest route
  Bytes permuted = 0, packed = 0, combined = 0;
};

/// How long a count may take.
struct CountBudget {
  /// Visits to a rank in a round, to a segment there, to a link of a route; some seconds. Beyond it Error(budget).
  std::int64_t visits = std::int64_t{1} << 29;
  std::function<void(double)> progress = {};  ///< if any, is told after every round which share of the work is done
};

/// Counts the schedule on the machine's links and ports. Time and memory: one visit per transfer of the representative
/// ranks (all ranks without symmetry). `per_round`, if not null, receives one entry per round with a message.
Traffic count(const Spec& spec, const Machine& machine, const Schedule& schedule,
              std::vector<RoundTraffic>* per_round = nullptr, const CountBudget& budget = {});

/// A time that no schedule of this collective beats on this machine under lockstep pricing.
struct Bound {
  struct Part {
    std::string name;  ///< "latency", "port", "cut", "work", "rounds against volume"
    std::string why;   ///< one sentence with numbers
    Seconds time;
    std::int64_t rounds;  ///< start-ups counted in
    Bytes bytes;          ///< bytes on the wire counted in
  };
  Seconds time = 0;         ///< the best of the sums below
  std::string binding;      ///< what it is mostly made of: "latency", or the name of the volume part
  std::vector<Part> parts;  ///< latency first, then the volume arguments, largest first
};
Bound lower_bound(const Spec& spec, const Machine& machine);

/// Links that an argument of a bound counts on.
struct CountedLinks {
  struct Counted {
    Rank from, to;       ///< vertices: ranks, and behind them switches
    std::int64_t times;  ///< how much a crossing counts, against others
  };
  std::vector<Counted> links;
  std::vector<Rank> ports;  ///< of ranks with one port
};
/// Those of a part of lower_bound(), by its name: of the cut, the links that lead out of where the data is; of a
/// complete exchange, those with a length that binds. None of what no link decides, nor beyond 4096 links.
CountedLinks counted_links(const Spec& spec, const Machine& machine, std::string_view part);
/// Links that some block must cross from who has it to who needs it, at least.
int farthest_apart(const Spec& spec);

}  // namespace quadrille
