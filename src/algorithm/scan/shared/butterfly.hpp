// Prefixes by exchanging totals: ranks whose numbers differ in bit t tell each other the total of the 2^t ranks around
// them; the higher one also puts the other's total before its prefix.
#pragma once

#include "quadrille/collective.hpp"
#include "quadrille/cost.hpp"

namespace quadrille::algorithm::scan {

/// Inclusive, or exclusive for an exscan. On half-duplex links the lower ranks send first, then the higher ones.
SchedulePtr butterfly(const Spec& spec, const Machine& machine);
Cost butterfly_cost(const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::scan
