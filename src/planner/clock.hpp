// Ranking by a clock: candidates are timed, cheapest first, and given up when they cannot win any more.
#pragma once

#include "quadrille/plan.hpp"

namespace quadrille::planner {

/// Times the candidates of a plan, which are sorted by price, and sorts them by what is known then.
void rank_by_clock(Plan& plan, const PlanOptions& options);

/// What can be said of a simulation before it is played.
struct Outline {
  bool whole = true;          ///< false: more messages than allowed, or eight times as many steps; nothing else holds
  std::int64_t messages = 0;  ///< over all ranks
  /// No simulation in that order on any network is shorter: what one rank sends and copies, round after round.
  Seconds at_least = 0;
};
Outline outline(const Spec& spec, const Machine& machine, const Schedule& schedule, std::int64_t most_messages,
                Order order = Order::dataflow);

/// Simulated in the order of `how`, or where none is given as PlanOptions::order says. Takes the messages that it
/// played.
Timing timed(const Spec& spec, const Machine& machine, const Choice& choice, const SimulateOptions& how,
             bool order_is_given, std::int64_t& messages);

/// Plays a choice by data and by rounds, and says which of them executors take; see order_to_perform(). Of the messages
/// that each may play it takes what it needed. Beyond the deadline both are given up.
Sending in_both_orders(const Spec& spec, const Machine& machine, const Choice& choice, SimulateOptions how,
                       std::int64_t& by_data, std::int64_t& by_rounds);

}  // namespace quadrille::planner
