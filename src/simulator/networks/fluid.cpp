// Fluid: messages flow side by side, and whatever they share they share fairly.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "quadrille/simulate.hpp"
#include "simulator/networks/connections.hpp"
#include "simulator/networks/delays.hpp"
#include "simulator/networks/maxmin.hpp"
#include "simulator/networks/networks.hpp"
#include "simulator/networks/ways.hpp"
#include "simulator/networks/weights.hpp"
#include "simulator/play.hpp"
#include "simulator/soonest.hpp"
#include "simulator/start_ups.hpp"

namespace quadrille::simulator {

namespace {

/// alpha + per_hop for every link after a message was asked for it begins to flow; it has arrived when its bytes are
/// through, everywhere at once. Where a rank has one port, start-ups follow one another there, at both ends. At any
/// time rates are max-min fair (see MaxMin), of all messages alike or by their latency (see Weights), over
/// - links, 1/beta each; in half duplex both directions of a wire together;
/// - on machines with one port what a rank sends and what it receives, 1/beta each, or as much as its fastest link; in
///   half duplex both together;
/// - a shared medium: k* times 1/beta in all, 1/beta for one message.
/// A message that is divided is a flow on each of its ways, all with one start-up where ports are kept busy by it.
/// Messages with the same data that leave as one (multicast, or on a medium) are one flow over all links of their ways.
/// On a machine with `burst`, which is measured between hosts, what a rank sends to another on one way flows one after
/// the other, as on a TCP connection.
class FluidNetwork {
 public:
  FluidNetwork(const Spec& spec, const Machine& machine, const SimulateOptions& options)
      : topology_(*spec.topology),
        weights_(options.network, machine.alpha + machine.per_hop),
        sharing_(options.tolerance, weights_.link()),
        alpha_(machine.alpha),
        hop_(machine.per_hop),
        tolerance_(std::max(options.tolerance, 0x1p-40)),
        half_(machine.duplex != Duplex::full),
        start_ups_(machine, topology_.nodes()),
        ways_(topology_, machine) {
    if (machine.circuit == CircuitCost::average) alpha_ += machine.per_hop * topology_.diameter() / 2.0, hop_ = 0;
    const auto accesses = ways_.over_medium() ? std::min<std::int64_t>(machine.shared, topology_.nodes()) : 1;
    one_ = weights_.link() / accesses;
    seconds_ = machine.beta * static_cast<double>(one_);
    connected_ = machine.burst > 0 && seconds_ > 0 && options.network == Network::fluid;
    for (Ways::Resource port = 0; ways_.over_medium() && port < ways_.ports(); ++port) sharing_.limit(port, one_);
    const std::vector<double> slowness = ways_.slowness_of_ports(machine);
    for (Ways::Resource port = 0; port < slowness.size(); ++port)
      if (slowness[port] > 1) sharing_.limit(port, slower(slowness[port]));
  }

  template <class Engine>
  void start(Engine& engine, std::span<const std::uint32_t> flights) {
    int hops = 0;
    for (std::size_t i = 0; i < flights.size(); ++i) {
      const Flight& m = engine.flight(flights[i]);
      const int way = hop_ > 0 && !ways_.over_medium() ? topology::length_of_way(topology_, m.from, m.to, m.way) : 1;
      hops = std::max(hops, way);
      flow(flights[i]).next = i + 1 < flights.size() ? flights[i + 1] : none;
    }
    Seconds start_up = alpha_;
    if constexpr (Engine::detailed) start_up = delayed(engine, flights.front(), start_up);
    flow(flights.front()).weight = weights_.of(start_up + hop_ * hops);
    engine.watched([&](Watcher& w) {
      for (const std::uint32_t f : flights) w.message(f).until_arrived += {.start_up = start_up, .hops = hop_ * hops};
    });
    const Seconds from = start_ups_.at_sender(engine, engine.flight(flights.front()));
    for (const std::uint32_t f : flights) waited_for_port(engine, f, from - engine.now());
    engine.push(from + start_up + hop_ * hops, flights.front(), begin);
  }

  template <class Engine>
  void handle(Engine& engine, const Event& e) {
    if (e.what == begin) return start_ups_.in_port() ? start_at_receiver(engine, e.who) : set_out(engine, e.who);
    if (e.what == flow_on) return set_out(engine, e.who);
    e.what == settle ? share(engine) : end_flows(engine);
  }

  /// Everything moves at some rate: nobody waits.
  template <class Engine>
  std::string circular_wait(const Engine&) const {
    return {};
  }

 private:
  enum Kind : std::uint32_t { begin = first_own_event, flow_on, settle, look };
  struct Flow {
    Seconds began, since;       ///< began to flow; `left` is how many bytes it had to go at `since`
    double left, rate;          ///< bytes a second
    std::uint32_t next = none;  ///< flight of the same flow
    std::uint32_t weight = 1;
  };

  MaxMin::Rate slower(double factor) const {
    return std::max(MaxMin::Rate{1}, static_cast<MaxMin::Rate>(static_cast<double>(one_) / factor));
  }
  /// Start-ups at the receivers' ports follow one another; the first of them is done together with the sender's.
  template <class Engine>
  void start_at_receiver(Engine& engine, std::uint32_t f) {
    Seconds from = engine.now();
    for (std::uint32_t part = f; part != none; part = flows_[part].next)
      from = std::max(from, start_ups_.at_receiver(engine, engine.flight(part), engine.now()));
    if (!(from > engine.now())) return set_out(engine, f);
    for (std::uint32_t part = f; part != none; part = flows_[part].next)
      waited_for_port(engine, part, from - engine.now());
    engine.push(from, f, flow_on);
  }

  template <class Engine>
  void set_out(Engine& engine, std::uint32_t f) {
    const Flight& m = engine.flight(f);
    flows_[f].began = engine.now();
    if (by_connection(f, m) && !connections_.free_for(f, m)) return;
    flow_off(engine, f);
  }
  bool by_connection(std::uint32_t f, const Flight& m) const {
    return connected_ && m.bytes > 0 && flows_[f].next == none;
  }

  template <class Engine>
  void flow_off(Engine& engine, std::uint32_t f) {
    const Flight& m = engine.flight(f);
    find_way(engine, f);
    if constexpr (Engine::detailed) slow_down(engine, f);
    if (m.bytes == 0 || seconds_ == 0) return arrive(engine, f);
    Flow& flow = flows_[f];
    flow.since = engine.now(), flow.left = static_cast<double>(m.bytes), flow.rate = 0;
    if constexpr (Engine::detailed) flow.left *= stretch(engine, f);
    sharing_.add(f, ways_.found(), flow.weight);
    settle_soon(engine);
  }

  template <class Engine>
  void find_way(Engine& engine, std::uint32_t f) {
    ways_.begin(engine.flight(f).from);
    for (std::uint32_t part = f; part != none; part = flows_[part].next)
      engine.timeline().hops += ways_.go(engine.flight(part));
    if (ways_.end(f, flows_[f].next != none)) sharing_.limit(ways_.of_flow(f), one_);
  }

  /// All that changes at one time is worked out together.
  template <class Engine>
  void settle_soon(Engine& engine) {
    if (settling_) return;
    settling_ = true;
    engine.push(engine.now(), 0, settle);
  }

  template <class Engine>
  void share(Engine& engine) {
    if (engine.more_now()) return engine.push(engine.now(), 0, settle);
    settling_ = false;
    for (const MaxMin::Change& change : sharing_.solve()) {
      Flow& flow = flows_[change.flow];
      flow.left -= flow.rate * (engine.now() - flow.since), flow.since = engine.now();
      flow.rate = static_cast<double>(flow.weight * change.now) / seconds_;
      if (change.now == 0)
        due_.erase(change.flow);
      else
        due_.set(change.flow, engine.now() + std::max(flow.left, 0.0) / flow.rate);
    }
    look_again(engine);
  }

  template <class Engine>
  void look_again(Engine& engine) {
    if (due_.empty() || due_.time() >= looking_) return;
    looking_ = due_.time();
    engine.push(looking_, 0, look);
  }

  /// Ends what has come to its end, and what would within the tolerance of its duration.
  template <class Engine>
  void end_flows(Engine& engine) {
    if (engine.now() < looking_) return;  // everything was put off since
    looking_ = std::numeric_limits<Seconds>::infinity();
    ended_.clear();
    due_.each_until(engine.now() / (1 - tolerance_), [&](std::uint32_t f, Seconds time) {
      if (time - engine.now() <= tolerance_ * (time - flows_[f].began)) ended_.push_back(f);
    });
    // Not by the numbers of flights, which are given again at other times where somebody watches.
    const auto ends = [&](std::uint32_t f) {
      const Flight& m = engine.flight(f);
      return std::tuple(m.from, m.to, m.round, m.way);
    };
    if (ended_.size() > 1)
      std::sort(ended_.begin(), ended_.end(), [&](std::uint32_t a, std::uint32_t b) { return ends(a) < ends(b); });
    for (const std::uint32_t f : ended_) {
      due_.erase(f), sharing_.remove(f);
      const Seconds alone = time_alone(engine, f);
      for (std::uint32_t part = f; part != none; part = flows_[part].next)
        engine.timeline().queued += std::max(0.0, engine.now() - flows_[f].began - alone);
      engine.watched([&](Watcher& w) { tell(engine, w, f, alone); });
      const Flight& m = engine.flight(f);
      const std::uint32_t follows = by_connection(f, m) ? connections_.next(m) : none;
      arrive(engine, f);
      if (follows != none) flow_off(engine, follows);
      settle_soon(engine);
    }
    if (!settling_) look_again(engine);
  }

  template <class Engine>
  Seconds time_alone(Engine& engine, std::uint32_t f) {
    double longer = 1;
    if constexpr (Engine::detailed) {
      for (std::uint32_t part = f; part != none; part = flows_[part].next)
        longer = std::max(longer, slowest_on_way(engine, part));
      longer *= stretch(engine, f);
    }
    return longer * static_cast<double>(engine.flight(f).bytes) * seconds_ / static_cast<double>(one_);
  }

  /// Slow links on the way carry less; where links are not resources, the flow does.
  template <class Engine>
  void slow_down(Engine& engine, std::uint32_t f) {
    if (!engine.faults().has_links()) return;
    double slowest = 1;
    for (std::uint32_t part = f; part != none; part = flows_[part].next) {
      const Flight& m = engine.flight(part);
      slowest = std::max(slowest, engine.faults().slowest(m));
      for (const Link link : ways_.links_of(m)) {
        double factor = engine.faults().slowness(link);
        if (half_) factor = std::max(factor, engine.faults().slowness(topology_.reverse(link)));
        if (factor > 1) sharing_.limit(ways_.of_link(link), slower(factor));
      }
    }
    if (ways_.over_links() || slowest == 1) return;
    ways_.add_own(f);
    sharing_.limit(ways_.of_flow(f), slower(slowest));
  }

  /// What it took longer than alone, it shared. A link was busy as long as it takes itself; another may be slower.
  template <class Engine>
  void tell(Engine& engine, Watcher& w, std::uint32_t f, Seconds alone) {
    const Seconds took = engine.now() - flows_[f].began;
    const Seconds wire = std::min(alone, took), busy_since = std::max(flows_[f].began, engine.now() - wire);
    for (std::uint32_t part = f; part != none; part = flows_[part].next) {
      const Flight& m = engine.flight(part);
      Watched& seen = w.message(part);
      seen.came = busy_since;
      seen.until_arrived += {.wire = wire, .link = took - wire};
      const std::vector<Link>& links = ways_.links_of(m);
      const Seconds carried = static_cast<double>(m.bytes) * seconds_ / static_cast<double>(one_);
      for (const Link link : links) {
        const Seconds own = std::min(wire, carried * engine.faults().slowness(link));
        w.occupied(part, link, flows_[f].began, engine.now() - own, engine.now());
      }
      seen.links = static_cast<std::uint32_t>(std::max<std::size_t>(1, links.size()));
    }
    if (ways_.over_medium()) w.occupied(f, -1, flows_[f].began, busy_since, engine.now());
  }

  template <class Engine>
  void arrive(Engine& engine, std::uint32_t f) {
    for (; f != none; f = flows_[f].next) {
      engine.watched([&](Watcher& w) { w.until_left(f, {}); });
      engine.leaves(f, engine.now()), engine.arrives(f, engine.now());
    }
  }

  Flow& flow(std::uint32_t f) {
    if (f >= flows_.size()) flows_.resize(f + 1);
    return flows_[f];
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  const Topology& topology_;
  Weights weights_;
  MaxMin sharing_;
  Seconds alpha_, hop_;
  double tolerance_;
  bool half_, connected_ = false;
  StartUps start_ups_;
  Ways ways_;
  Connections connections_;
  MaxMin::Rate one_;         ///< what a link carries
  double seconds_;           ///< rate * bytes a second
  std::vector<Flow> flows_;  ///< of flights
  Soonest due_;              ///< when flows end at the rates they have
  bool settling_ = false;
  Seconds looking_ = std::numeric_limits<Seconds>::infinity();  ///< when the next look at due_ is
  std::vector<std::uint32_t> ended_;
};

}  // namespace

Timeline play_fluid(const Spec& spec, const Machine& machine, const Schedule& schedule,
                    const SimulateOptions& options) {
  return play(spec, machine, schedule, options, FluidNetwork(spec, machine, options));
}

}  // namespace quadrille::simulator
