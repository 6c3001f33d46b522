// Messages of an alltoallv that go straight to their ranks, each in a round.
#pragma once

#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::alltoallv {

/// Each pair of Spec::demands in the round that is given for it.
SchedulePtr in_rounds(const Spec& spec, const std::vector<std::int32_t>& round_of_pair);
/// Counted message by message.
inline Claims straight_claims(const Spec&, const Machine&, const Params&) {
  return {.contention_free = false, .port_free = false};
}

}  // namespace quadrille::algorithm::alltoallv
