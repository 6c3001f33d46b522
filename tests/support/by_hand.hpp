// A machine whose times add up in the head, and the networks that messages are played on.
#pragma once

#include "quadrille/simulate.hpp"
#include "settings.hpp"

namespace quadrille::testing {

inline constexpr Network networks[] = {Network::free,        Network::store_and_forward,
                                       Network::cut_through, Network::circuit,
                                       Network::fluid,       Network::wormhole};

/// Start-up 1, 0.25 a link, 0.5 a byte.
inline Machine by_hand(Ports ports = Ports::all, Duplex duplex = Duplex::full) {
  Machine m = test_machine(ports, duplex, Switching::circuit);
  m.alpha = 1, m.per_hop = 0.25, m.beta = 0.5, m.rho = 0, m.circuit = CircuitCost::exact;
  return m;
}

}  // namespace quadrille::testing
