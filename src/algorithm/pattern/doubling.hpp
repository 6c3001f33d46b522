// Algorithms in which rank r talks to r +- 2^j, all ranks named from the root: where they fit and how they are turned.
#pragma once

#include <string>

#include "quadrille/collective.hpp"

namespace quadrille::algorithm::pattern {

/// Empty where rank 2^j + a, counted from any root, is a neighbour of rank a < 2^j: hypercube and switches.
std::string needs_doubling(const Spec& spec);

/// A schedule for root 0, its ranks renamed so that the root is the collective's: by xor on the hypercube, by adding
/// the root elsewhere.
SchedulePtr from_root(SchedulePtr schedule, const Spec& spec);

}  // namespace quadrille::algorithm::pattern
