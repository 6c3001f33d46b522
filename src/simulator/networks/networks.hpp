// The networks that a simulation can be played on: one file each.
#pragma once

#include "quadrille/simulate.hpp"

namespace quadrille::simulator {

/// Whether messages can meet on links. On a crossbar a pair's next message waits until the last one has left, so that
/// its wire is never shared; but it can be where processors hand over messages and go on, or where both directions
/// share one.
inline bool needs_links(const Machine& machine, const Topology& topology) {
  const bool shared_wires = machine.has_overhead() || machine.duplex != Duplex::full;
  return topology.contended() || (shared_wires && machine.ports == Ports::all);
}

/// Free, store-and-forward, cut-through.
Timeline play_fifo(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);
Timeline play_circuit(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);
Timeline play_fluid(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);
Timeline play_wormhole(const Spec&, const Machine&, const Schedule&, const SimulateOptions&);

}  // namespace quadrille::simulator
