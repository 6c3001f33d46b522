// The options of commands that rank candidates: by which clock, on which network.
#pragma once

#include <string>

#include "console/command.hpp"
#include "quadrille/plan.hpp"

namespace quadrille::cli {

/// As typed; empty: not given.
struct ClockOptions {
  std::string effort, order, network, messages;
};
/// `messages` is what may be played without --messages, `of` says in what: "in all".
void add_clock(CLI::App& command, ClockOptions& options, std::int64_t messages, const std::string& of,
               bool measures = false);
/// `measures`: whether the command knows --effort measure. `otherwise` is the effort without --effort.
PlanOptions read(const ClockOptions& options, Effort otherwise, std::int64_t messages, bool measures = false);

/// --order and --network as typed.
Order read_order(const std::string& text);
Network read_network(const std::string& text);

/// Of messages that are performed: --send as typed; empty: the faster one.
void add_send(CLI::App& command, std::string& text);
Sending read_send(const std::string& text, const Spec& spec, const Machine& machine, const Choice& choice,
                  const std::string& network = {});
/// "in the order of rounds: 66 us simulated, and longer in that of data".
std::string send_text(const Sending& sending);

/// "played message by message on a circuit network, ranks go on by themselves".
std::string clock_text(Order order, Network network);

}  // namespace quadrille::cli
