// Collectives that are left to MPI, whose calls are counted and timed.
#pragma once

#include <vector>

#include "dropin/report/report.hpp"

namespace quadrille::dropin {

/// Calls of one kind on a rank, and the time inside them. Numbers alone, as ranks compare them.
struct CountedCalls {
  double calls = 0;
  Seconds time = 0;
};

/// A collective on an inter-communicator, whichever: they are counted together, and not timed.
void count_between();

/// Of all kinds on this rank, always in the same order.
std::vector<CountedCalls> counted_calls();
/// The same with their names; those that were called, the most frequent first.
std::vector<NamedCalls> named_calls(const std::vector<CountedCalls>& calls);

}  // namespace quadrille::dropin
