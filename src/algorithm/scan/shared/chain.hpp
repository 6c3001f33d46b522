// Prefixes along a chain of ranks, with and without the rank's own contribution.
#pragma once

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::scan {

/// The description is their own, and so is what the busiest ranks combine, which is a part of `cost`.
Algorithm along_a_chain(Collective collective, const kit::Description& description, decltype(Algorithm::cost) cost);

/// The price without what is combined.
Cost chain_cost(const Spec& spec, const Machine& machine, const Params& params);

}  // namespace quadrille::algorithm::scan
