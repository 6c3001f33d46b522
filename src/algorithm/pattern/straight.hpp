// Every message sent at once and straight to its rank: what that needs, and what it puts on the links of each topology
// along its own routes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

/// Why the messages of an alltoall, allgather, scatter or gather cannot all be sent at once; empty when they can.
std::string linear_illegal(const Spec& spec, const Machine& machine, const Params&);
Claims linear_claims(const Spec& spec, const Machine& machine, const Params&);
/// One round, in which messages take turns at ports: a start-up for as many as a rank has links, and what the busiest
/// link carries.
Cost linear_cost(const Spec& spec, const Machine& machine, const Params&);

/// What differs between the algorithms that send all messages at once; the fields as in Algorithm.
struct Linear {
  std::string_view name;
  Collective collective;
  std::string_view summary;
  std::vector<Literature> literature = {};
  SchedulePtr (*build)(const Spec&, const Machine&, const Params&);
};
Algorithm linear(const Linear& says);
/// Messages of an allgather or alltoall, listed so that no two ranks begin with the same one.
SchedulePtr linear_exchange(const Spec& spec, const Machine&, const Params&);

}  // namespace quadrille::algorithm::pattern
