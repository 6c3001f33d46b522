// Wormhole, model W: a message has its whole way to itself from end to end, and both its ends spend software time on
// it.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "quadrille/simulate.hpp"
#include "simulator/networks/networks.hpp"
#include "simulator/play.hpp"
#include "topology/division.hpp"

namespace quadrille::simulator {

namespace {

/// On machines with overheads alpha is latency after the links, and what follows is so with alpha 0. A rank that begins
/// a round spends alpha on each message that it sends or receives in it, one after another. A
/// message is requested when all its ends have done so, and starts as soon as every link of its way and, on machines
/// with one port, the ports of its ends are free, all at once: no circles of waiting. It holds them for per_hop * links
/// + beta * bytes. Of messages that wait the one requested first is tried first, then the one of the lower round, then
/// the one that starts or ends at the lower rank; one that is blocked lets others pass. Half duplex: one way of a wire,
/// or of a port, at a time. A shared medium serves k* messages at once. What leaves as one (multicast) is one message.
/// A way of a divided message is one, too, but its ends spend alpha only once on all of them.
/// Deterministic: constants are multiples of one unit, so that equal times are equal, whatever sums they come from.
class WormholeNetwork {
 public:
  WormholeNetwork(const Spec& spec, const Machine& machine, const Schedule& schedule)
      : topology_(*spec.topology), one_port_(machine.ports == Ports::one), half_(machine.duplex != Duplex::full) {
    choose_unit(machine, schedule.shape());
    const bool latency = machine.has_overhead();  // then processors are charged elsewhere
    alpha_ = latency ? 0 : whole(machine.alpha), latency_ = latency ? whole(machine.alpha) : 0,
    hop_ = whole(machine.per_hop), beta_ = whole(machine.beta);
    const auto ranks = static_cast<std::size_t>(topology_.nodes());
    ready_.resize(ranks);
    ports_ = one_port_ ? (half_ ? 1 : 2) * ranks : 0;
    const bool medium = topology_.shared_medium();
    resources_.resize(ports_ + (medium ? 1 : static_cast<std::size_t>(topology_.links())));
    if (medium) resources_[ports_].free = static_cast<std::uint32_t>(std::min(machine.shared, topology_.nodes()));
  }

  /// Rank r begins a round with so many messages; what it sends in it comes to start() right after.
  template <class Engine>
  void enters(Engine& engine, std::uint32_t r, std::uint32_t round, std::uint32_t messages) {
    if (messages == 0) return;
    turn_to(engine, r, messages);
    ready_[r].time = ready_[r].software;
    ready_[r].round = round;
    const auto found = absent_.find(key(r, round));
    if (found == absent_.end()) return;
    const std::uint32_t first = found->second;
    absent_.erase(found);
    for (std::uint32_t f = first; f != none;) {
      const std::uint32_t next = messages_[f].queued;
      end_is_ready(engine, messages_[f].first, ready_[r].time);
      f = next;
    }
  }

  /// Eager: what comes to start() right after is turned to at both ends, whatever else its receivers wait for. (If they
  /// came to it round by round, it could keep others from its link that they have to receive before.)
  template <class Engine>
  void prepares(Engine& engine, std::span<const std::uint32_t> flights) {
    prepared_ = true;
    turn_to(engine, engine.flight(flights.front()).from, 1);
    for (const std::uint32_t f : flights) turn_to(engine, engine.flight(f).to, 1);
  }

  template <class Engine>
  void start(Engine& engine, std::span<const std::uint32_t> flights) {
    const std::uint32_t first = flights.front();
    for (std::size_t i = 0; i < flights.size(); ++i) {
      const std::uint32_t f = flights[i];
      if (f >= messages_.size()) messages_.resize(f + 1);
      messages_[f] = {.first = first, .part = i + 1 < flights.size() ? flights[i + 1] : none};
    }
    engine.watched([&](Watcher& w) {
      const Seconds ready = std::max(engine.now(), ready_[engine.flight(first).from].software);
      for (const std::uint32_t f : flights) w.message(f).until_arrived.start_up = ready - engine.now();
    });
    messages_[first].absent = static_cast<std::uint32_t>(flights.size()) + 1;
    end_is_ready(engine, first, std::max(engine.now(), ready_[engine.flight(first).from].software));
    for (const std::uint32_t f : flights) {
      const Flight& m = engine.flight(f);
      if (prepared_ || ready_[m.to].round == m.round) {
        end_is_ready(engine, first, prepared_ ? ready_[m.to].software : ready_[m.to].time);
        continue;
      }
      const auto [known, fresh] = absent_.try_emplace(key(m.to, m.round), f);
      if (fresh) continue;
      messages_[f].queued = known->second;
      known->second = f;
    }
  }

  template <class Engine>
  void handle(Engine& engine, const Event& e) {
    if (e.what == settle) return start_what_can(engine);
    if (e.what == finish) return release(engine, e.who);
    trying_.push_back(e.who);
    settle_soon(engine);
  }

  /// Whoever waits holds nothing.
  template <class Engine>
  std::string circular_wait(const Engine&) const {
    return {};
  }

 private:
  enum Kind : std::uint32_t { request = first_own_event, finish, settle };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Ready {
    Seconds time = 0;  ///< for what it receives in its round
    std::uint32_t round = none;
    Seconds software = 0;  ///< done with all that it turned to
  };
  struct Message {
    std::uint32_t first = 0, part = none;  ///< of a bundle: its first flight, and the next one
    std::uint32_t absent = 0;              ///< ends whose software has not begun
    std::uint32_t queued = none;           ///< the next one that waits for the same thing
    Seconds requested = 0;
  };
  struct Resource {
    std::uint32_t free = 1;        ///< messages it can still take
    std::uint32_t blocked = none;  ///< a message that found it taken
  };

  double whole(double constant) const { return std::round(constant / unit_) * unit_; }
  /// So large that what a schedule's rounds take one after the other is added up exactly, but never more than 2^-24 of
  /// the constant that a byte is charged.
  void choose_unit(const Machine& machine, const Shape& shape) {
    const auto blocks = static_cast<double>(shape.in + shape.out + shape.tmp);
    const double bytes = static_cast<double>(shape.cut.bytes) * blocks;
    const double round = machine.alpha + machine.per_hop * topology_.diameter() + machine.beta * bytes;
    const double all = std::max(round, 1e-290) * static_cast<double>(shape.rounds + 1);
    const double least = machine.beta > 0 ? machine.beta : all;
    unit_ = std::ldexp(1.0, std::min(std::ilogb(all) - 50, std::ilogb(least) - 24));
  }
  static std::uint64_t key(std::uint32_t r, std::uint32_t round) { return std::uint64_t{r} << 32 | round; }

  template <class Engine>
  void turn_to(Engine& engine, std::uint32_t r, std::uint32_t messages) {
    Seconds& software = ready_[r].software;
    software = std::max(software, std::ceil(engine.now() / unit_) * unit_) + alpha_ * static_cast<double>(messages);
  }

  template <class Engine>
  void end_is_ready(Engine& engine, std::uint32_t f, Seconds time) {
    Message& m = messages_[f];
    m.requested = std::max(m.requested, time);
    if (--m.absent == 0) engine.push(m.requested, f, request);
  }

  /// All that is released or requested at one time is there before anything starts.
  template <class Engine>
  void settle_soon(Engine& engine) {
    if (settling_) return;
    settling_ = true;
    engine.push(engine.now(), 0, settle);
  }

  template <class Engine>
  void start_what_can(Engine& engine) {
    if (engine.more_now()) return engine.push(engine.now(), 0, settle);
    settling_ = false;
    const auto priority = [&](std::uint32_t f) {
      const Flight& m = engine.flight(f);
      return std::tuple(messages_[f].requested, m.round, std::min(m.from, m.to), m.from > m.to, std::max(m.from, m.to),
                        m.way);
    };
    std::sort(trying_.begin(), trying_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return priority(a) < priority(b); });
    for (const std::uint32_t f : trying_) try_to_start(engine, f);
    trying_.clear();
  }

  template <class Engine>
  void try_to_start(Engine& engine, std::uint32_t f) {
    const std::size_t links = find_way(engine, f);
    for (const std::size_t i : way_)
      if (Resource& taken = resources_[i]; taken.free == 0) {
        messages_[f].queued = taken.blocked;
        taken.blocked = f;
        return;
      }
    for (const std::size_t i : way_) --resources_[i].free;
    engine.timeline().hops += static_cast<std::int64_t>(links);
    for (std::uint32_t part = f; part != none; part = messages_[part].part)
      engine.timeline().queued += engine.now() - messages_[f].requested;
    const Seconds wire = wire_time(engine, f);
    Seconds hops = hop_ * static_cast<double>(links);
    if constexpr (Engine::detailed) hops = std::max(-wire, hops + whole(engine.faults().delay(engine.flight(f))));
    engine.watched([&](Watcher& w) { tell(engine, w, f, hops, wire); });
    engine.push(engine.now() + hops + wire, f, finish);
  }

  template <class Engine>
  Seconds wire_time(Engine& engine, std::uint32_t f) const {
    const auto bytes = static_cast<double>(engine.flight(f).bytes);
    if constexpr (Engine::detailed) {
      double longer = 1;
      const Flight& first = engine.flight(f);
      for (std::uint32_t part = f; part != none; part = messages_[part].part)
        longer = std::max(longer, engine.faults().slowest(engine.flight(part)));
      longer *= engine.faults().stretch(first.from, first.to, first.round);
      if (longer > 1) return whole(longer * beta_ * bytes);
    }
    return beta_ * bytes;
  }

  /// A message that starts.
  template <class Engine>
  void tell(Engine& engine, Watcher& w, std::uint32_t f, Seconds hops, Seconds wire) {
    const Seconds requested = messages_[f].requested, end = engine.now() + hops + wire;
    for (std::uint32_t part = f; part != none; part = messages_[part].part) {
      Watched& seen = w.message(part);
      const Flight& m = engine.flight(part);
      seen.began = seen.came = engine.now();
      seen.until_arrived.peer = requested - engine.flight(part).asked - seen.until_arrived.start_up;
      seen.until_arrived += {.start_up = latency_, .hops = hops, .wire = wire, .link = engine.now() - requested};
      path_.clear();
      if (!topology_.shared_medium()) topology::add_way(topology_, m.from, m.to, m.way, path_);
      seen.links = static_cast<std::uint32_t>(std::max<std::size_t>(1, path_.size()));
      for (const Link link : path_) w.occupied(part, link, requested, engine.now(), end);
    }
    if (topology_.shared_medium()) w.occupied(f, -1, requested, engine.now(), end);
  }

  template <class Engine>
  void release(Engine& engine, std::uint32_t f) {
    find_way(engine, f);
    for (const std::size_t i : way_) {
      Resource& given = resources_[i];
      ++given.free;
      for (std::uint32_t w = given.blocked; w != none; w = messages_[w].queued) trying_.push_back(w);
      given.blocked = none;
    }
    for (std::uint32_t part = f; part != none; part = messages_[part].part) {
      engine.watched([&](Watcher& w) { w.until_left(part, {.start_up = -latency_}); });
      engine.leaves(part, engine.now());
      engine.arrives(part, engine.now() + latency_);
    }
    settle_soon(engine);
  }

  /// What a message needs, in way_; returns how many links.
  template <class Engine>
  std::size_t find_way(Engine& engine, std::uint32_t f) {
    way_.clear();
    for (std::uint32_t part = f; part != none; part = messages_[part].part) {
      const Flight& m = engine.flight(part);
      path_.clear();
      if (!topology_.shared_medium()) topology::add_way(topology_, m.from, m.to, m.way, path_);
      for (const Link link : path_)
        way_.push_back(ports_ + static_cast<std::size_t>(half_ ? std::min(link, topology_.reverse(link)) : link));
    }
    if (topology_.shared_medium()) way_.push_back(ports_);
    make_unique(f);
    const std::size_t links = way_.size();
    if (!one_port_) return links;
    way_.push_back(engine.flight(f).from);
    for (std::uint32_t part = f; part != none; part = messages_[part].part)
      way_.push_back((half_ ? 0 : ready_.size()) + engine.flight(part).to);
    return links;
  }

  /// Ways of one message to several ranks have links in common.
  void make_unique(std::uint32_t f) {
    if (messages_[f].part == none) return;
    std::sort(way_.begin(), way_.end());
    way_.erase(std::unique(way_.begin(), way_.end()), way_.end());
  }

  const Topology& topology_;
  double unit_ = 0, beta_ = 0;
  Seconds hop_ = 0, alpha_ = 0;
  Seconds latency_ = 0;  ///< after a message has crossed its links, on machines with overheads
  bool one_port_, half_;
  std::size_t ports_ = 0;
  std::vector<Resource> resources_;  ///< ports, then links or the medium
  std::vector<Ready> ready_;         ///< of ranks
  std::vector<Message> messages_;    ///< of flights
  std::unordered_map<std::uint64_t, std::uint32_t>
      absent_;  ///< by rank and round: messages whose receiver is not there
  std::vector<std::uint32_t> trying_;
  bool settling_ = false, prepared_ = false;
  std::vector<std::size_t> way_;
  std::vector<Link> path_;
};

}  // namespace

Timeline play_wormhole(const Spec& spec, const Machine& machine, const Schedule& schedule,
                       const SimulateOptions& options) {
  return play(spec, machine, schedule, options, WormholeNetwork(spec, machine, schedule));
}

}  // namespace quadrille::simulator
