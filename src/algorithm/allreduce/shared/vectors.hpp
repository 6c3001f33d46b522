// All-reduces in which ranks exchange whole vectors, and what they have in common.
#pragma once

#include <functional>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::allreduce {

/// Where a rank's value is before round t of `rounds` in which it takes part: at first in `in`, at last in `out`, and
/// between in `out` and scratch memory by turns, so that what is sent is not written.
struct Places {
  Round rounds;
  Buffer before(Round t) const { return t == 0 ? Buffer::in : after(t - 1); }
  Buffer after(Round t) const { return (rounds - 1 - t) % 2 == 0 ? Buffer::out : Buffer::tmp; }
};

/// A vector that is not cut, at every rank, with `tmp` vectors of scratch memory; no rounds where it is empty.
Shape whole_vector(const Spec& spec, Round rounds, Slot tmp);

/// Every rank swaps its value with that of peer(t, r) in round t, and both combine them, the lower rank's on the left.
SchedulePtr swaps_schedule(const Spec& spec, Round rounds, std::function<Rank(Round, Rank)> peer);

/// Side of a value that comes from `peer`, so that ranks' values stay in the order of ranks.
Combine::Incoming side_of(Rank peer, Rank self);

/// Why results that differ in their last bits are not wanted, and what has one expression for all ranks.
std::string identical_illegal(const Spec& spec, std::string_view instead);

}  // namespace quadrille::algorithm::allreduce
