// On networks whose messages meet as their routes have it (Structure::routed) every algorithm of a crossbar runs: any
// rank is one message away. What that costs is counted on the routes. So no algorithm has to know of such a network.
// Nor of one on which schedules choose the ways of their messages: these are chosen for all of them.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Whether the algorithms see a crossbar in place of the network: all but those that ask for nodes themselves.
inline bool seen_as_crossbar(const Spec& spec, const Algorithm& a) {
  return !a.asks_for_nodes && spec.topology->structure().routed;
}
/// The same question on a crossbar.
Spec on_crossbar(const Spec& spec);
/// Why messages between any two ranks are not possible; empty where they are.
std::string routes_illegal(const Spec& spec, const Machine& machine);
/// The refusal of a crossbar, told of the network that is seen as one; empty where there is none.
std::string refusal_on_routes(std::string reason, const Spec& spec);
/// What the schedule takes on the routes, message by message.
Cost cost_on_routes(const Spec& spec, const Machine& machine, const Schedule& schedule);
/// No more than that, without a look at the routes.
Seconds least_on_routes(const Spec& spec, const Machine& machine, const Cost& on_crossbar);

/// What an algorithm answers, on routed networks too; nothing of it is changed elsewhere.
namespace on_routes {
Claims claims(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
std::string illegal(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> variants(const Algorithm& own, const Spec& spec, const Machine& machine);
Cost cost(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
Seconds least(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr build(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params);
std::string_view other_name(const Algorithm& own, const Spec& spec, const Params& params);
}  // namespace on_routes

}  // namespace quadrille::algorithm
