// Words of an alltoallv on ways of a flow, in pieces that follow each other.
#pragma once

#include <cstdint>

#include "algorithm/kit/flow_plan.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::kit {

/// Parts of ways are of so many words, the last one of a message of fewer. In each of `pieces` rounds every way begins
/// with as many parts as in any other, to within one: more in those in which its links have least.
SchedulePtr words_played(const Spec& spec, const FlowPlan& plan, Slot words, std::int64_t pieces);
/// The number of pieces, a power of two and at most so many, whose rounds take least: each takes so long to start, and
/// `part` for a part on a link of capacity 1.
std::int64_t best_word_pieces(const FlowPlan& plan, Seconds startup, Seconds part, std::int64_t most);

}  // namespace quadrille::algorithm::kit
