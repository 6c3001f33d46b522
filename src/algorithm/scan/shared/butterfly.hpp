// Prefixes by exchanging totals: ranks whose numbers differ in bit t tell each other the total of the 2^t ranks around
// them; the higher one also puts the other's total before its prefix.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::scan {

/// Inclusive, or exclusive for an exscan. On half-duplex links the lower ranks send first, then the higher ones.
Algorithm by_butterfly(Collective collective, std::string_view name);

}  // namespace quadrille::algorithm::scan
