// Rounds in which pairs of ranks swap what they hold, each rank with one that differs from it in one bit.
#pragma once

#include <string>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

/// Empty where ranks that differ in one bit are one message apart: a hypercube, or a switch of 2^d ranks.
std::string needs_bit_pairs(const Spec& spec);

/// Rounds that a swap of all pairs takes: one, or two where a wire or a rank works one way at a time.
int rounds_of_swap(const Spec& spec, const Machine& machine);

/// Every round becomes two: first the messages to ranks of higher numbers, then those to lower ones.
SchedulePtr up_then_down(SchedulePtr base);
/// A schedule of such swaps as it fits the wires and ranks of this machine.
SchedulePtr split_swaps(SchedulePtr base, const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::pattern
