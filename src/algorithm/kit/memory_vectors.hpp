// Reductions through a shared memory, which cannot combine: ranks write contributions there in waves, as many at once
// as it serves, and others read and combine them, in the order of ranks.
#pragma once

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::kit {

/// Rank r reads contributions, each slot(s) of the memory and of the length of its own slot, from `low` up to r - 1 and
/// from r + 1 up to high - 1, and combines them with its own one in a place of `sum`: the nearest first, so that those
/// of lower ranks are left operands, one after the other, and those of higher ranks right ones.
struct Reading {
  Rank low, high;
  std::function<Slot(Rank)> slot;
};
void read_and_combine(Rank self, Rank r, Rank memory, const Reading& from, Buffer sum, Slot own, Slot sum_slot,
                      Steps& out);

}  // namespace quadrille::algorithm::kit
