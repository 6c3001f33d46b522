// Networks whose links and ports serve one message after the other, in the order in which messages come to them.
#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include "quadrille/simulate.hpp"
#include "simulator/networks/networks.hpp"
#include "simulator/networks/router.hpp"
#include "simulator/networks/sizes.hpp"
#include "simulator/play.hpp"
#include "simulator/start_ups.hpp"

namespace quadrille::simulator {

namespace {

/// A message of m bytes is at its first link alpha after its sender's port is free, takes per_hop for every link, and
/// keeps each link (and its ends' ports, where a rank has one) busy for m * beta. Where a rank has one port alpha keeps
/// it busy, too, at both ends; but on machines with overheads alpha is latency, behind the sender's port. Its head is
/// at the next link per_hop after it entered a link (cut-through), or when the whole message has crossed it
/// (store-and-forward). Ways of a divided message begin at once, or one after the other where a rank has one port,
/// which has one start-up for all of them. A link that shapes traffic by a bucket is up to `burst` ahead of the wire
/// that it stands for.
class FifoNetwork {
 public:
  FifoNetwork(const Spec& spec, const Machine& machine, Network kind)
      : topology_(*spec.topology),
        router_(topology_),
        alpha_(machine.alpha),
        beta_(machine.beta),
        burst_(machine.burst),
        hop_(machine.per_hop),
        one_port_(machine.ports == Ports::one),
        half_(machine.duplex != Duplex::full),
        contended_(kind != Network::free && topology_.diameter() > 0 && needs_links(machine, topology_)),
        whole_(kind == Network::store_and_forward),
        medium_(topology_.shared_medium()),
        short_ways_(topology_.diameter() <= 32),
        in_port_start_up_(machine) {
    if (machine.circuit == CircuitCost::average) alpha_ += machine.per_hop * topology_.diameter() / 2.0, hop_ = 0;
    if (machine.has_overhead()) behind_port_ = alpha_ + hop_;
    const auto ranks = static_cast<std::size_t>(topology_.nodes());
    if (one_port_) ports_.resize(half_ ? ranks : 2 * ranks, 0);
    if (medium_)
      servers_.resize(static_cast<std::size_t>(std::min<std::int64_t>(machine.shared, topology_.nodes())), 0);
    if (contended_ && !medium_) links_.resize(static_cast<std::size_t>(topology_.links()), 0);
  }

  template <class Engine>
  void start(Engine& engine, std::span<const std::uint32_t> flights) {
    const std::uint32_t sender = engine.flight(flights.front()).from;
    if (medium_) return through_medium(engine, flights);
    if (one_port_ && (out_port(sender) > engine.now() || queues_.contains(sender)))
      return line_up(engine, sender, flights);
    for (const std::uint32_t f : flights) begin(engine, f);
  }

  template <class Engine>
  void handle(Engine& engine, const Event& e) {
    if (e.what == port_is_free) return let_go(engine, e.who);
    cross<false>(engine, e, engine.now());
  }
  [[gnu::always_inline]] void expect(const Event& e) const {
    if (e.what >= at_link) __builtin_prefetch(&links_[e.what - at_link], 1);
  }
  [[gnu::always_inline]] Lane next(const Event& e) const {
    return e.what < at_link ? Lane{0} : router_.next(e.what - at_link, e.where);
  }
  [[gnu::always_inline]] bool expect_sender(std::uint32_t rank, std::uint32_t to) const {
    if (to == none || links_.empty()) return to != none;
    const Heading first = router_.first(rank, to);
    __builtin_prefetch(&links_[first.lane], 1);
    return short_ways_ && router_.next(first.lane, first.aim) == Router::none;
  }

  bool serves_in_order() const { return true; }
  bool messages_meet() const { return contended_ || one_port_ || medium_; }

  /// Whoever is served goes on: nobody keeps one thing while waiting for another.
  template <class Engine>
  std::string circular_wait(const Engine&) const {
    return {};
  }

 private:
  /// From at_link on: a message is at the lane of that number. Its event has `where` it is aimed at, and its `size`, so
  /// that the message itself is looked at only where it turns or arrives.
  enum Kind : std::uint32_t { port_is_free = first_own_event, at_link };
  struct Queued {
    std::uint32_t flight;
    bool with_next;  ///< leaves together with the next one: one bundle
  };

  /// The sender's port is busy: its messages leave one after the other.
  template <class Engine>
  void line_up(Engine& engine, std::uint32_t sender, std::span<const std::uint32_t> flights) {
    std::deque<Queued>& queue = queues_[sender];
    if (queue.empty()) engine.push(out_port(sender), sender, port_is_free);
    for (const std::uint32_t f : flights) queue.push_back({f, f != flights.back()});
  }

  template <class Engine>
  void let_go(Engine& engine, std::uint32_t sender) {
    if (out_port(sender) > engine.now()) return engine.push(out_port(sender), sender, port_is_free);
    std::deque<Queued>& queue = queues_[sender];
    for (bool more = true; more; queue.pop_front()) {
      more = queue.front().with_next;
      engine.timeline().queued += engine.now() - engine.flight(queue.front().flight).asked;
      begin(engine, queue.front().flight);
    }
    if (queue.empty())
      queues_.erase(sender);
    else
      engine.push(out_port(sender), sender, port_is_free);
  }

  template <class Engine>
  void begin(Engine& engine, std::uint32_t f) {
    Flight& m = engine.flight(f);
    const Seconds delay = delay_of(engine, m),
                  start_up = std::max(0.0, (goes_on(m) ? 0 : alpha_ * stretch(engine, m)) + delay);
    engine.watched([&](Watcher& w) {
      Watched& seen = w.message(f);
      seen.began = engine.now();
      seen.until_arrived.port += engine.now() - m.asked;
      seen.until_arrived.start_up += start_up;
    });
    if (contended_) {
      const Heading first = router_.first(m.from, m.to, m.way);
      return cross<true>(engine, {f, at_link + first.lane, first.aim, sizes_.number(m.bytes)}, engine.now() + start_up);
    }
    const int hops = hop_ > 0 ? topology::length_of_way(topology_, m.from, m.to, m.way) : 1;
    engine.timeline().hops += hops;
    double wire = static_cast<double>(m.bytes) * beta_ * stretch(engine, m);
    if constexpr (Engine::detailed) wire *= engine.faults().slowest(m);
    const Seconds head = engine.now() + start_up + hop_ * (hops - 1);
    const Seconds enter = one_port_ ? std::max(head, in_port(m.to) + in_port_start_up_.of(engine, m)) : head;
    if (one_port_) {
      in_port(m.to) = enter + hop_ + wire;
      engine.timeline().queued += enter - head;
    }
    const Seconds out = enter + hop_ + wire;
    const Seconds latency = behind_port_ + delay + hop_ * (hops - 1);
    const Seconds left = behind_port_ > 0 ? std::max(engine.now(), out - latency) : out;
    if (one_port_) out_port(m.from) = std::max(out_port(m.from), left);
    engine.watched([&](Watcher& w) {
      w.message(f).links = static_cast<std::uint32_t>(hops);
      w.message(f).came = enter;
      w.message(f).until_arrived += {.hops = hop_ * hops, .wire = wire, .port = enter - head};
      until_left(w, f, {});
    });
    engine.leaves(f, left);
    engine.arrives(f, out);
  }

  /// The head of the flight is at its next link, perhaps its first, at `head`, which is not before now.
  template <bool first, class Engine>
  [[gnu::always_inline]] void cross(Engine& engine, Event e, Seconds head) {
    const std::uint32_t f = e.who;
    const Lane lane = e.what - at_link;
    Heading on{router_.next(lane, e.where), e.where};
    if (on.lane == Router::turns) on = turn(lane, engine.flight(f));
    const bool last = on.lane == Router::none;
    const double wire = sizes_[e.size] * beta_ * slowed(engine, f, lane, first);
    Seconds& busy = links_[half_ ? router_.wire(lane) : lane];
    const Seconds free = std::max(head, busy - burst_);
    Seconds enter = free;
    if (one_port_ && last)
      enter = std::max(enter, in_port(engine.flight(f).to) + in_port_start_up_.of(engine, engine.flight(f)));
    const Seconds begin = std::max(enter, busy);  // on the wire that the link stands for
    busy = begin + wire;
    ++engine.timeline().hops;
    engine.timeline().queued += enter - head;
    const Seconds out = std::max(enter + hop_, begin + hop_ + wire - burst_),
                  crossing = burst_ > 0 ? out - hop_ - enter : wire;
    const Seconds left = behind_port_ > 0 ? std::max(engine.now(), out - behind(engine, f, first)) : out;
    if (one_port_ && first) {
      Seconds& port = out_port(engine.flight(f).from);
      port = std::max(port, left);
    }
    if (one_port_ && last) in_port(engine.flight(f).to) = out;
    engine.watched([&](Watcher& w) {
      const bool paid = last || whole_;  // cut-through: the rest follows the head, and costs time only at the end
      Watched& seen = w.message(f);
      ++seen.links;
      seen.came = enter;
      seen.until_arrived += {.hops = hop_, .wire = paid ? crossing : 0, .port = enter - free, .link = free - head};
      if (first) until_left(w, f, {.wire = paid ? 0 : crossing});
      w.crossed(f, lane, router_, head, begin, begin + wire);
    });
    if constexpr (first) engine.leaves(f, left);
    if (last)
      engine.arrives(f, out);
    else
      engine.push(whole_ ? out : enter + hop_, {f, at_link + on.lane, on.aim, e.size});
  }

  /// A bundle is one transaction; several receivers hear it only when nothing else is on the medium.
  template <class Engine>
  void through_medium(Engine& engine, std::span<const std::uint32_t> flights) {
    const Flight& m = engine.flight(flights.front());
    auto server = flights.size() > 1 ? std::max_element(servers_.begin(), servers_.end())
                                     : std::min_element(servers_.begin(), servers_.end());
    Seconds port = engine.now();
    if (one_port_) port = std::max(port, out_port(m.from));
    for (const std::uint32_t f : flights)
      if (one_port_) port = std::max(port, in_port(engine.flight(f).to));
    const Seconds start_up = alpha_ * stretch(engine, m), ahead = behind_port_ > 0 ? start_up : 0;
    const Seconds start = std::max(port, *server - ahead);
    double wire = static_cast<double>(m.bytes) * beta_ * stretch(engine, m);
    for (const std::uint32_t f : flights)
      if constexpr (Engine::detailed) wire = std::max(wire, wire * engine.faults().slowest(engine.flight(f)));
    const Seconds end = start + start_up + hop_ + wire;
    const Seconds left = std::max(engine.now(), end - ahead);
    if (flights.size() > 1) std::fill(servers_.begin(), servers_.end(), end);
    *server = end;
    if (one_port_) out_port(m.from) = left;
    for (const std::uint32_t f : flights) {
      if (one_port_) in_port(engine.flight(f).to) = end;
      ++engine.timeline().hops;
      engine.watched([&](Watcher& w) {
        Watched& seen = w.message(f);
        seen.links = 1;
        seen.began = seen.came = start;
        seen.until_arrived +=
            {.start_up = start_up, .hops = hop_, .wire = wire, .port = port - engine.now(), .link = start - port};
        until_left(w, f, {});
        if (f == flights.front()) w.occupied(f, -1, port, start, end);
      });
      engine.leaves(f, left);
      engine.arrives(f, end);
    }
    engine.timeline().queued += (start - engine.now()) * static_cast<double>(flights.size());
  }

  template <class Engine>
  double stretch(Engine& engine, const Flight& m) const {
    if constexpr (Engine::detailed) return engine.faults().stretch(m.from, m.to, m.round);
    return 1;
  }
  template <class Engine>
  Seconds delay_of(Engine& engine, const Flight& m) const {
    if constexpr (Engine::detailed) return engine.faults().delay(m);
    return 0;
  }
  /// What a message spends after it has left its sender's port.
  template <class Engine>
  Seconds behind(Engine& engine, std::uint32_t f, bool first) const {
    if constexpr (Engine::detailed)
      if (first) return std::max(0.0, behind_port_ + delay_of(engine, engine.flight(f)));
    return behind_port_;
  }
  template <class Engine>
  double slowed(Engine& engine, std::uint32_t f, Lane lane, bool first) const {
    if constexpr (Engine::detailed) {
      FaultModel& faults = engine.faults();
      const Flight& m = engine.flight(f);
      double factor = faults.stretch(m.from, m.to, m.round);
      if (!faults.has_links()) return factor;
      const double here = faults.factor(router_.link(lane), m.from, m.to, m.round);
      return factor * (whole_ ? here : faults.slowest_so_far(f, first, here));
    }
    return 1;
  }

  void until_left(Watcher& w, std::uint32_t f, const TimeParts& more) const {
    behind_port_ > 0 ? w.until_left_before_latency(f, more) : w.until_left(f, more);
  }

  Heading turn(Lane last, const Flight& m) const { return router_.turn(last, m.from, m.to, m.way); }
  /// Whether it is what follows of a divided message at its sender's port.
  bool goes_on(const Flight& m) const { return m.way > 0 && one_port_ && !(behind_port_ > 0); }
  Seconds& out_port(std::uint32_t r) { return ports_[r]; }
  Seconds& in_port(std::uint32_t r) { return ports_[half_ ? r : r + ports_.size() / 2]; }
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  const Topology& topology_;
  Router router_;
  Seconds alpha_;
  double beta_;
  Seconds burst_, hop_;
  bool one_port_, half_, contended_, whole_, medium_;
  bool short_ways_;               ///< else most messages under way are not about to arrive
  PortStartUp in_port_start_up_;  ///< that a message keeps its receiver's port busy before it enters
  Seconds behind_port_ = 0;       ///< what it spends after it has left its sender's port
  std::vector<Seconds> ports_;    ///< when free: of sending, then of receiving; half duplex: of either
  Sizes sizes_;
  std::vector<Seconds> links_;                                    ///< by lane, when free; half duplex: at the wire's
  std::unordered_map<std::uint32_t, std::deque<Queued>> queues_;  ///< of senders: who waits for its port
  std::vector<Seconds> servers_;                                  ///< when each of the medium's k* accesses is free
};

}  // namespace

Timeline play_fifo(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options) {
  return play(spec, machine, schedule, options, FifoNetwork(spec, machine, options.network));
}

}  // namespace quadrille::simulator
