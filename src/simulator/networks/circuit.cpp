// Circuit switching: a message takes its links one after the other, keeps them all, and gives them back at its end.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "quadrille/simulate.hpp"
#include "simulator/networks/networks.hpp"
#include "simulator/networks/router.hpp"
#include "simulator/play.hpp"
#include "simulator/start_ups.hpp"

namespace quadrille::simulator {

namespace {

/// After alpha the head asks for the sender's port (where a rank has one), then for link after link, each set up in
/// per_hop, then for the receiver's port; then the data flow for m * beta, and everything is released. Whoever finds
/// something taken waits for it and keeps what it has: circular waits are possible, and named. Where a rank has one
/// port start-ups follow one another there, at both ends. Ways of a divided message are circuits of their own, with one
/// start-up at ports.
class CircuitNetwork {
 public:
  CircuitNetwork(const Spec& spec, const Machine& machine)
      : topology_(*spec.topology),
        router_(topology_),
        alpha_(machine.alpha),
        beta_(machine.beta),
        hop_(machine.per_hop),
        one_port_(machine.ports == Ports::one),
        half_(machine.duplex != Duplex::full),
        start_ups_(machine, topology_.nodes()) {
    if (machine.circuit == CircuitCost::average) alpha_ += machine.per_hop * topology_.diameter() / 2.0, hop_ = 0;
    ports_ = one_port_ ? topology_.nodes() * (half_ ? 1 : 2) : 0;
    holder_.resize(static_cast<std::size_t>(ports_ + topology_.links()), nobody);
  }

  template <class Engine>
  void start(Engine& engine, std::span<const std::uint32_t> flights) {
    for (const std::uint32_t f : flights) {
      if (f >= stage_.size()) grow(f + 1);
      const Flight& m = engine.flight(f);
      stage_[f] = one_port_ ? Stage::out_port : Stage::link;
      next_[f] = router_.first(m.from, m.to, m.way);
      Seconds start_up = alpha_;
      if constexpr (Engine::detailed)
        start_up = std::max(0.0, start_up * stretch(engine, m) + engine.faults().delay(m));
      engine.watched([&](Watcher& w) {
        w.message(f).until_arrived.start_up += start_up;
        if (taken_.empty()) taken_.resize(holder_.size());
      });
      const Seconds from = start_ups_.at_sender(engine, m);
      waited_for_port(engine, f, from - engine.now());
      engine.push(from + start_up, f, ask);
    }
  }

  template <class Engine>
  void handle(Engine& engine, const Event& e) {
    if (e.what == finish) return release(engine, e.who);
    const std::size_t wanted = resource(engine, e.who, stage_[e.who]);
    asked_[e.who] = engine.now();
    if (holder_[wanted] == nobody)
      take(engine, e.who, wanted);
    else
      wait(e.who, wanted);
  }

  bool serves_in_order() const { return true; }

  /// Who waits for whom in a circle; empty when nobody does.
  template <class Engine>
  std::string circular_wait(Engine& engine) const {
    std::vector<std::uint32_t> waiting;
    for (const auto& [wanted, queue] : queues_) waiting.push_back(queue.first);
    std::sort(waiting.begin(), waiting.end());  // or the one named would hang on how the library keeps its tables
    for (const std::uint32_t f : waiting)
      if (std::string circle = circle_from(engine, f); !circle.empty()) return circle;
    return {};
  }

 private:
  enum class Stage : std::uint8_t { out_port, link, in_port };
  enum Kind : std::uint32_t { ask = first_own_event, finish };
  struct Queue {
    std::uint32_t first, last;
  };
  struct Taken {
    Seconds asked = 0, begin = 0;
  };

  /// What the flight needs at that stage; of links the next one.
  template <class Engine>
  std::size_t resource(Engine& engine, std::uint32_t f, Stage stage) const {
    if (stage == Stage::link) return lane_resource(next_[f].lane);
    const Flight& m = engine.flight(f);
    if (stage == Stage::out_port) return m.from;
    return half_ ? m.to : static_cast<std::size_t>(topology_.nodes()) + m.to;
  }
  std::size_t lane_resource(Lane lane) const {
    return static_cast<std::size_t>(ports_) + (half_ ? router_.wire(lane) : lane);
  }

  template <class Engine>
  void take(Engine& engine, std::uint32_t f, std::size_t wanted) {
    const Flight& m = engine.flight(f);
    holder_[wanted] = f;
    const Seconds queued = engine.now() - asked_[f];
    engine.timeline().queued += queued;
    engine.watched([&](Watcher& w) {
      Watched& seen = w.message(f);
      taken_[wanted] = {asked_[f], engine.now()};
      (stage_[f] == Stage::link ? seen.until_arrived.link : seen.until_arrived.port) += queued;
      if (stage_[f] == Stage::out_port) seen.began = engine.now();
      seen.came = engine.now();
    });
    if (stage_[f] == Stage::out_port) {
      stage_[f] = Stage::link;
      return engine.push(engine.now(), f, ask);
    }
    Seconds set_up = engine.now();
    if (stage_[f] == Stage::link) {
      const Lane taken = next_[f].lane;
      next_[f] = router_.after(next_[f], m.from, m.to, m.way);
      ++engine.timeline().hops;
      set_up += hop_;
      engine.watched([&](Watcher& w) {
        ++w.message(f).links;
        w.message(f).until_arrived.hops += hop_;
      });
      if constexpr (Engine::detailed) engine.faults().factor(router_.link(taken), m.from, m.to, m.round);
      if (next_[f].lane != Router::none) return engine.push(set_up, f, ask);
      stage_[f] = Stage::in_port;
      if (one_port_) return engine.push(set_up, f, ask);
    }
    const Seconds ready = start_ups_.at_receiver(engine, m, set_up);
    waited_for_port(engine, f, ready - set_up);
    double wire = static_cast<double>(m.bytes) * beta_;
    if constexpr (Engine::detailed) wire *= stretch(engine, m) * engine.faults().slowest(m);
    engine.watched([&](Watcher& w) { w.message(f).until_arrived.wire += wire; });
    engine.push(ready + wire, f, finish);
  }

  template <class Engine>
  static double stretch(Engine& engine, const Flight& m) {
    return engine.faults().stretch(m.from, m.to, m.round);
  }

  void grow(std::size_t flights) {
    stage_.resize(flights, Stage::out_port);
    next_.resize(flights);
    next_waiting_.resize(flights, nobody);
    asked_.resize(flights, 0);
  }

  void wait(std::uint32_t f, std::size_t wanted) {
    next_waiting_[f] = nobody;
    const auto [found, fresh] = queues_.try_emplace(wanted, Queue{f, f});
    if (fresh) return;
    next_waiting_[found->second.last] = f;
    found->second.last = f;
  }

  template <class Engine>
  void release(Engine& engine, std::uint32_t f) {
    const Flight m = engine.flight(f);
    if (one_port_) {
      give_back(engine, resource(engine, f, Stage::out_port));
      give_back(engine, resource(engine, f, Stage::in_port));
    }
    for (Heading at = router_.first(m.from, m.to, m.way); at.lane != Router::none;
         at = router_.after(at, m.from, m.to, m.way)) {
      const Lane lane = at.lane;
      engine.watched([&](Watcher& w) {
        const Taken& taken = taken_[lane_resource(lane)];
        w.crossed(f, lane, router_, taken.asked, taken.begin, engine.now());
      });
      give_back(engine, lane_resource(lane));
    }
    engine.watched([&](Watcher& w) { w.until_left(f, {}); });
    engine.leaves(f, engine.now());
    engine.arrives(f, engine.now());
  }

  template <class Engine>
  void give_back(Engine& engine, std::size_t what) {
    holder_[what] = nobody;
    const auto found = queues_.find(what);
    if (found == queues_.end()) return;
    const std::uint32_t f = found->second.first;
    if (next_waiting_[f] == nobody)
      queues_.erase(found);
    else
      found->second.first = next_waiting_[f];
    take(engine, f, what);
  }

  /// Follows who waits for what whose holder waits for ... until somebody comes up twice.
  template <class Engine>
  std::string circle_from(Engine& engine, std::uint32_t f) const {
    std::vector<std::uint32_t> seen;
    while (std::find(seen.begin(), seen.end(), f) == seen.end()) {
      seen.push_back(f);
      const std::size_t wanted = resource(engine, f, stage_[f]);
      if (!queues_.contains(wanted)) return {};
      f = holder_[wanted];
    }
    std::string text;
    for (auto at = std::find(seen.begin(), seen.end(), f); at != seen.end(); ++at) {
      const Flight& m = engine.flight(*at);
      text += fmt::format("{}the message {}->{} of round {} waits for {}", text.empty() ? "" : ", ", m.from, m.to,
                          m.round, name(resource(engine, *at, stage_[*at])));
    }
    return text + ", which the first one holds";
  }

  std::string name(std::size_t what) const {
    const auto number = static_cast<std::int64_t>(what);
    if (number >= ports_)
      return fmt::format("link {}", topology_.name(router_.link(static_cast<Lane>(number - ports_))));
    return fmt::format("the port of rank {}", number % topology_.nodes());
  }

  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  const Topology& topology_;
  Router router_;
  Seconds alpha_;
  double beta_;
  Seconds hop_;
  bool one_port_, half_;
  std::int64_t ports_ = 0;
  StartUps start_ups_;
  std::vector<std::uint32_t> holder_;        ///< of ports, then links
  std::vector<Stage> stage_;                 ///< of flights
  std::vector<Heading> next_;                ///< of flights: the link after those it holds
  std::vector<Seconds> asked_;               ///< of flights: since when it wants what it wants
  std::vector<Taken> taken_;                 ///< of resources, when somebody watches
  std::vector<std::uint32_t> next_waiting_;  ///< of flights: who comes after it in its queue
  std::unordered_map<std::size_t, Queue> queues_;
};

}  // namespace

Timeline play_circuit(const Spec& spec, const Machine& machine, const Schedule& schedule,
                      const SimulateOptions& options) {
  return play(spec, machine, schedule, options, CircuitNetwork(spec, machine));
}

}  // namespace quadrille::simulator
