// The networks that a simulation can be played on: one file each.
#pragma once

#include "quadrille/simulate.hpp"

namespace quadrille {

/// Free, store-and-forward, cut-through.
Timeline play_fifo(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);
Timeline play_circuit(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);
Timeline play_fluid(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);
Timeline play_wormhole(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);

}  // namespace quadrille
