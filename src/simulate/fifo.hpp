// Networks whose links and ports serve one message after the other, in the order in which messages come to them.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "quadrille/simulate.hpp"
#include "simulate/engine.hpp"
#include "simulate/router.hpp"

namespace quadrille {

/// A message of m bytes is at its first link alpha after its sender's port is free, takes per_hop for every link, and
/// keeps each link (and its ends' ports, where a rank has one) busy for m * beta. Its head is at the next link per_hop
/// after it entered a link (cut-through), or when the whole message has crossed it (store-and-forward).
class FifoNetwork {
 public:
  FifoNetwork(const Spec& spec, const Machine& machine, Network kind)
      : topology_(*spec.topology),
        router_(topology_),
        alpha_(machine.alpha),
        beta_(machine.beta),
        one_port_(machine.ports == Ports::one),
        half_(machine.duplex != Duplex::full),
        contended_(kind != Network::free && topology_.diameter() > 0 && topology_.family() != "crossbar"),
        whole_(kind == Network::store_and_forward),
        medium_(topology_.shared_medium()),
        hop_(machine.per_hop) {
    if (machine.circuit == CircuitCost::average) alpha_ += machine.per_hop * topology_.diameter() / 2.0, hop_ = 0;
    const auto ranks = static_cast<std::size_t>(topology_.nodes());
    if (one_port_) ports_.resize(half_ ? ranks : 2 * ranks, 0);
    if (medium_)
      servers_.resize(static_cast<std::size_t>(std::min<std::int64_t>(machine.shared, topology_.nodes())), 0);
    if (contended_ && !medium_) links_.resize(static_cast<std::size_t>(topology_.links()), 0);
  }

  template <class Engine>
  void start(Engine& engine, std::span<const std::uint32_t> flights) {
    const Flight& first = engine.flight(flights.front());
    Seconds from = engine.now();
    if (one_port_) from = std::max(from, out_port(first.from));
    if (medium_) return through_medium(engine, flights, from);
    if (from > engine.now()) {
      for (const std::uint32_t f : flights) engine.push(from, f, Engine::own);
      if (one_port_) out_port(first.from) = from + alpha_ + static_cast<double>(first.bytes) * beta_;
      return;
    }
    for (const std::uint32_t f : flights) begin(engine, f);
  }

  template <class Engine>
  void handle(Engine& engine, const EventQueue::Event& e) {
    if (e.what == Engine::own) return begin(engine, e.who);
    cross(engine, e.who, e.time);
  }

  /// Whoever is served goes on: nobody keeps one thing while waiting for another.
  template <class Engine>
  std::string circular_wait(const Engine&) const {
    return {};
  }

 private:
  template <class Engine>
  void begin(Engine& engine, std::uint32_t f) {
    if (contended_) return cross(engine, f, engine.now() + alpha_);
    Flight& m = engine.flight(f);
    const int hops = hop_ > 0 ? topology_.distance(m.from, m.to) : 1;
    engine.timeline().hops += hops;
    const double wire = static_cast<double>(m.bytes) * beta_;
    Seconds start = engine.now() + alpha_ + hop_ * (hops - 1);
    if (one_port_) {
      start = std::max(start, in_port(m.to));
      in_port(m.to) = start + hop_ + wire;
      out_port(m.from) = std::max(out_port(m.from), start + hop_ + wire);
    }
    engine.push(start + hop_ + wire, f, Engine::over);
  }

  /// The head of the flight is at its next link at `head`, which is not before now.
  template <class Engine>
  void cross(Engine& engine, std::uint32_t f, Seconds head) {
    Flight& m = engine.flight(f);
    const bool first = m.link == none;
    const Link link = router_.next(first ? Link{-1} : Link{m.link}, m.from, m.to);
    const bool last = router_.ends(link, m.from, m.to);
    const double wire = static_cast<double>(m.bytes) * beta_;
    Seconds& busy = links_[static_cast<std::size_t>(half_ ? std::min(link, topology_.reverse(link)) : link)];
    Seconds enter = std::max(head, busy);
    if (one_port_ && last) enter = std::max(enter, in_port(m.to));
    busy = enter + wire;
    m.link = static_cast<std::uint32_t>(link);
    ++engine.timeline().hops;
    engine.timeline().queued += enter - head;
    const Seconds out = enter + hop_ + wire;
    if (one_port_ && first) out_port(m.from) = std::max(out_port(m.from), out);
    if (one_port_ && last) in_port(m.to) = out;
    if (last) {
      engine.push(out, f, first ? Engine::over : Engine::arrived);
    } else {
      if (first) engine.push(out, f, Engine::sent);
      engine.push(whole_ ? out : enter + hop_, f, Engine::own + 1);
    }
  }

  /// A bundle is one transaction; several receivers hear it only when nothing else is on the medium.
  template <class Engine>
  void through_medium(Engine& engine, std::span<const std::uint32_t> flights, Seconds from) {
    const Flight& m = engine.flight(flights.front());
    auto server = flights.size() > 1 ? std::max_element(servers_.begin(), servers_.end())
                                     : std::min_element(servers_.begin(), servers_.end());
    Seconds start = std::max(from, *server);
    for (const std::uint32_t f : flights)
      if (one_port_) start = std::max(start, in_port(engine.flight(f).to));
    const Seconds end = start + alpha_ + hop_ + static_cast<double>(m.bytes) * beta_;
    if (flights.size() > 1) std::fill(servers_.begin(), servers_.end(), end);
    *server = end;
    if (one_port_) out_port(m.from) = end;
    for (const std::uint32_t f : flights) {
      if (one_port_) in_port(engine.flight(f).to) = end;
      ++engine.timeline().hops;
      engine.push(end, f, Engine::over);
    }
    engine.timeline().queued += start - from;
  }

  Seconds& out_port(std::uint32_t r) { return ports_[r]; }
  Seconds& in_port(std::uint32_t r) { return ports_[half_ ? r : r + ports_.size() / 2]; }
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  const Topology& topology_;
  Router router_;
  Seconds alpha_;
  double beta_;
  bool one_port_, half_, contended_, whole_, medium_;
  Seconds hop_;
  std::vector<Seconds> ports_;    ///< when free: of sending, then of receiving; half duplex: of either
  std::vector<Seconds> links_;    ///< when free; half duplex: at the lower number of the two directions
  std::vector<Seconds> servers_;  ///< when each of the medium's k* accesses is free
};

}  // namespace quadrille
