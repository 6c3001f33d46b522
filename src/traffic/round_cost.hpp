// What a round costs: as long as its busiest link, wire or port takes, and what its messages start with.
#pragma once

#include <limits>
#include <optional>

#include "quadrille/cost.hpp"
#include "traffic/traffic.hpp"

namespace quadrille::traffic {

/// Start-ups of a round with so many transactions on a medium, if there is one, in which the busiest rank sends or
/// receives so many messages. A multibcast's round is one start-up where a rank has one port, and the bytes add up, as
/// Hambrusch, Khokhar & Liu (1995) price what several sources send to one rank.
std::int64_t start_ups(std::int64_t messages, std::int64_t transactions, const Spec& spec, const Machine& machine);

/// Adds what the loads of a round cost, so many times; returns the bytes on the busiest resource, by what the machine's
/// wires and ports share.
Bytes add_round(Cost& cost, const RoundLoads& loads, const Machine& machine, const Spec& spec, Round times = 1);

/// How far it came.
struct Counted {
  std::int64_t visits = 0;
  double rounds = 0;  ///< a part of all
};
/// How far to count: visits to a rank in a round, to a segment there, to a link of a route; and seconds of the price.
struct CountUntil {
  std::int64_t visits = std::int64_t{1} << 27;  ///< a second or two; beyond them Error(budget)
  Seconds price = std::numeric_limits<Seconds>::infinity();
  Counted* came = nullptr;  ///< set at the end, also where that is an Error
};
/// The price of a whole schedule, counted message by message; empty once its first rounds take longer than they may.
std::optional<Cost> counted(const Spec& spec, const Machine& machine, const Schedule& schedule,
                            const CountUntil& until = {});

}  // namespace quadrille::traffic
