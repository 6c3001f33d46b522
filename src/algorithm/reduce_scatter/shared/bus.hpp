// Reductions on a bus: one rank after the other sends what others need of its contribution, and these combine it.
#pragma once

#include "algorithm/kit/description.hpp"

namespace quadrille::algorithm::reduce_scatter {

/// Of the whole vector at every rank, or of every rank's block.
Algorithm on_bus(Collective collective, const kit::Description& description);

}  // namespace quadrille::algorithm::reduce_scatter
