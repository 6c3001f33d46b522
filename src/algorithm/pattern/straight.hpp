// Every message sent at once and straight to its rank: what that needs, and what it puts on the links of each topology
// along its own routes.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

/// Why the messages of an alltoall, allgather, scatter or gather cannot all be sent at once; empty when they can.
std::string linear_illegal(const Spec& spec, const Machine& machine, const Params&);
Claims linear_claims(const Spec& spec, const Machine& machine, const Params&);
/// One round, in which messages take turns at ports: a start-up for as many as a rank has links, and what the busiest
/// link carries.
Cost linear_cost(const Spec& spec, const Machine& machine, const Params&);

/// The algorithm of that name. An allgather or alltoall lists the messages so that no two ranks begin with the same
/// one.
Algorithm linear(std::string_view name, Collective collective, std::string_view summary,
                 SchedulePtr (*build)(const Spec&, const Machine&, const Params&));
SchedulePtr linear_exchange(const Spec& spec, const Machine&, const Params&);

}  // namespace quadrille::algorithm::pattern
