// What a complete exchange must pay because few rounds force blocks to be relayed: rounds and volume cannot both be
// least.
#pragma once

#include "quadrille/price.hpp"

namespace quadrille {

/// With at most `ports` messages out of a rank at once; `least_rounds` and `least_bytes` are bounds already known.
Bound::Part rounds_against_volume(const Spec& spec, const Machine& machine, std::int64_t ports,
                                  std::int64_t least_rounds, Bytes least_bytes);

}  // namespace quadrille
