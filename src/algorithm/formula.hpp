// The closed form as every layer above asks for it.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Where there are no bytes nothing is sent, whatever the algorithm's own form says. [decision 7]
inline Cost formula(const Algorithm& algorithm, const Spec& spec, const Machine& machine, const Params& params) {
  return spec.bytes == 0 ? Cost{} : algorithm.cost(spec, machine, params);
}

}  // namespace quadrille::algorithm
