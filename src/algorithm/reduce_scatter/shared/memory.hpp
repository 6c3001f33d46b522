// Reductions through a shared memory, which cannot combine: ranks write their contributions and read those of others.
#pragma once

#include "algorithm/kit/description.hpp"

namespace quadrille::algorithm::reduce_scatter {

/// Every rank reduces a part of the vector; where all want everything, it writes the result and reads the others'.
Algorithm through_memory(Collective collective, const kit::Description& description);

}  // namespace quadrille::algorithm::reduce_scatter
