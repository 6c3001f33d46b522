// What faults make of a message in a fluid network.
#pragma once

#include <algorithm>
#include <cstdint>

#include "simulator/flight.hpp"

namespace quadrille::simulator {

/// How many times as long it takes.
template <class Engine>
double stretch(Engine& engine, std::uint32_t f) {
  const Flight& m = engine.flight(f);
  return engine.faults().stretch(m.from, m.to, m.round);
}

template <class Engine>
Seconds delayed(Engine& engine, std::uint32_t f, Seconds start_up) {
  return std::max(0.0, start_up * stretch(engine, f) + engine.faults().delay(engine.flight(f)));
}

/// How many times as long its bytes take on the slowest link of its way, and 1 at least.
template <class Engine>
double slowest_on_way(Engine& engine, std::uint32_t f) {
  const Flight& m = engine.flight(f);
  return std::max(1.0, engine.faults().slowest(m));
}

}  // namespace quadrille::simulator
