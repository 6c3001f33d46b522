// The cut of a network that binds a collective most.
#pragma once

#include "pricing/network_needs.hpp"

namespace quadrille::pricing {

/// Words of `word` bytes that must leave these vertices. Without a side where nothing must.
struct NeededCut {
  flow::Cut cut;
  Bytes word = 0;
};
/// Exactly the best where flows can say so and the network is small enough for them; of a complete exchange, and of
/// pairs, the best of cuts that structure suggests.
NeededCut best_cut(const Spec& spec, const NetworkGraph& graph);

}  // namespace quadrille::pricing
