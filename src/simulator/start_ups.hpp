// Start-ups that keep a rank's one port busy: they follow one another, at both ends of a message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "quadrille/machine.hpp"
#include "simulator/flight.hpp"

namespace quadrille::simulator {

/// A message that is divided has one start-up: that of its first way.
class StartUps {
 public:
  StartUps(const Machine& machine, Rank ranks)
      : ranks_(static_cast<std::size_t>(ranks)),
        alpha_(machine.alpha),
        last_(machine.startup_in_port() ? 2 * ranks_ : 0, -machine.alpha) {}

  bool in_port() const { return !last_.empty(); }
  /// When the start-up of a message begins that its sender asks for at `now`.
  Seconds at_sender(const Flight& m, Seconds now) {
    if (m.way > 0 && in_port()) return std::max(now, last_[m.from]);  // the first way's, which has begun
    return begins(m.from, now);
  }
  /// When a message goes on that is at its receiver at `now`: the first one's start-up is done together with its
  /// sender's.
  Seconds at_receiver(const Flight& m, Seconds now) { return m.way > 0 ? now : begins(ranks_ + m.to, now); }

 private:
  Seconds begins(std::size_t port, Seconds now) {
    if (!in_port()) return now;
    return last_[port] = std::max(now, last_[port] + alpha_);
  }

  std::size_t ranks_;
  Seconds alpha_;
  std::vector<Seconds>
      last_;  ///< when the last start-up began; sending, then receiving; empty where ports are not kept
};

/// Says that a flight has waited for a port.
template <class Engine>
void waited_for_port(Engine& engine, std::uint32_t flight, Seconds waited) {
  if (!(waited > 0)) return;
  engine.timeline().queued += waited;
  engine.watched([&](Watcher& w) { w.message(flight).until_arrived.port += waited; });
}

}  // namespace quadrille::simulator
