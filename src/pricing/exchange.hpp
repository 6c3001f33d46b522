// What a complete exchange must pay because few rounds force blocks to be relayed: rounds and volume cannot both be
// least.
#pragma once

#include "quadrille/price.hpp"

namespace quadrille::pricing {

/// Messages out of a rank at once; whether further ones may take turns in the same round.
struct SendingPorts {
  std::int64_t count;
  bool turns;
};
/// `least_rounds` and `least_bytes` are bounds already known.
Bound::Part rounds_against_volume(const Spec& spec, const Machine& machine, SendingPorts ports,
                                  std::int64_t least_rounds, Bytes least_bytes);

}  // namespace quadrille::pricing
