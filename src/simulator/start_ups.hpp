// Start-ups that keep a rank's one port busy: they follow one another, at both ends of a message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "quadrille/machine.hpp"
#include "simulator/flight.hpp"

namespace quadrille::simulator {

/// How long the start-up of a message keeps a port: not at all where it is latency, or ranks have all ports. A message
/// that is divided has one start-up: that of its first way.
class PortStartUp {
 public:
  explicit PortStartUp(const Machine& machine) : in_port_(machine.startup_in_port()), alpha_(machine.alpha) {}

  bool in_port() const { return in_port_; }
  template <class Engine>
  Seconds of(Engine& engine, const Flight& m) const {
    if (!in_port_ || m.way > 0) return 0;
    if constexpr (Engine::detailed) return engine.faults().start_up(m);
    return alpha_;
  }

 private:
  bool in_port_;
  Seconds alpha_;
};

/// When start-ups follow one another.
class StartUps {
 public:
  StartUps(const Machine& machine, Rank ranks)
      : start_up_(machine), ports_(start_up_.in_port() ? static_cast<std::size_t>(ranks) : 0) {}

  bool in_port() const { return start_up_.in_port(); }
  /// When the start-up of a message begins that its sender asks for now.
  template <class Engine>
  Seconds at_sender(Engine& engine, const Flight& m) {
    if (!in_port()) return engine.now();
    Port& port = ports_[m.from];
    if (m.way > 0) return std::max(engine.now(), port.sent);  // the first way's, which has begun
    port.sent = std::max(engine.now(), port.sending_free);
    port.sending_free = port.sent + start_up_.of(engine, m);
    return port.sent;
  }
  /// When a message goes on that is at its receiver then: the first one's start-up is done together with its sender's.
  template <class Engine>
  Seconds at_receiver(Engine& engine, const Flight& m, Seconds then) {
    if (!in_port() || m.way > 0) return then;
    Seconds& received = ports_[m.to].received;
    return received = std::max(then, received + start_up_.of(engine, m));
  }

 private:
  struct Port {
    Seconds sent = 0, sending_free = 0;  ///< when the last start-up at its sender began, and when it is over
    Seconds received = -std::numeric_limits<Seconds>::infinity();  ///< when the last one at its receiver was over
  };
  PortStartUp start_up_;
  std::vector<Port> ports_;  ///< empty where start-ups do not keep ports
};

/// Says that a flight has waited for a port.
template <class Engine>
void waited_for_port(Engine& engine, std::uint32_t flight, Seconds waited) {
  if (!(waited > 0)) return;
  engine.timeline().queued += waited;
  engine.watched([&](Watcher& w) { w.message(flight).until_arrived.port += waited; });
}

}  // namespace quadrille::simulator
