// The event loop: ranks go through their rounds, a network takes their messages and says when they have arrived.
#pragma once

#include <fmt/format.h>

#include "quadrille/simulate.hpp"
#include "simulate/event_queue.hpp"
#include "simulate/fault_model.hpp"
#include "simulate/feed.hpp"
#include "simulate/place.hpp"
#include "simulate/turnout.hpp"
#include "simulate/watch.hpp"

namespace quadrille {

/// A message on its way.
struct Flight {
  Bytes bytes;
  Seconds asked;  ///< when its sender was ready to send it
  std::uint32_t from, to, round;
  std::uint32_t link;  ///< the last one it entered, or the next one, as the network likes
};

/// Plays a schedule on a network:
///   void start(Engine&, std::span<const std::uint32_t> flights)  one bundle, handed over by its sender at now();
///   void handle(Engine&, const EventQueue::Event&)               what it pushed itself, kinds from `own` on;
///   void enters(Engine&, rank, round, const Part&)               optional: a rank begins a round.
///   bool messages_meet() const                                   optional: false when none can hold up another.
/// For each flight the network calls leaves() and pushes `arrived`, at a time that is not before that.
/// Observers and faults are looked for only when `detailed`: otherwise they cost nothing.
template <class Net, bool detailed_ = false>
class Engine {
 public:
  static constexpr bool detailed = detailed_;
  enum Kind : std::uint32_t { wake, arrived, own };

  Engine(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options, Net net)
      : spec_(spec),
        machine_(machine),
        schedule_(schedule),
        net_(std::move(net)),
        feed_(make_feed(spec, machine, schedule)),
        nodes_(spec.topology->nodes()),
        rounds_(schedule.shape().rounds),
        order_(options.order),
        deadline_(options.deadline),
        progress_(options.progress),
        faults_(*spec.topology, options.faults),
        watch_(options.observer, nodes_) {}

  Timeline run() {
    timeline_.complete = order_ == Order::lockstep ? lockstep() : dataflow();
    timeline_.makespan = now_;
    watched([&](Watch& w) { w.ended(now_); });
    return timeline_;
  }

  Seconds now() const { return now_; }
  bool more_now() const { return queue_.more_now(); }
  void push(Seconds time, std::uint32_t flight, std::uint32_t kind) { queue_.push(time, flight, kind); }
  Flight& flight(std::uint32_t f) { return flights_[f]; }
  /// The flight's sender is done with it at `time`, which is not before now. No event: a rank looks at this once all
  /// that it waits for is known.
  void leaves(std::uint32_t f, Seconds time) {
    watched([&](Watch& w) { w.leaves(f, time); });
    if (order_ == Order::lockstep) {
      all_left_ = std::max(all_left_, time);
      return;
    }
    const std::uint32_t sender = flights_[f].from;
    Place& p = places_[sender];
    p.sent = std::max(p.sent, time);
    if (--p.waiting == 0) wake_up(p, sender, p.sent, Stay::Why::sent);
  }
  Timeline& timeline() { return timeline_; }
  /// Only where `detailed`.
  FaultModel& faults() { return faults_; }
  /// tell(Watch&), when there is an observer.
  template <class Tell>
  void watched(Tell tell) {
    if constexpr (detailed)
      if (watch_.on()) tell(watch_);
  }

 private:
  /// False when the deadline came first; so below.
  bool dataflow() {
    for (Round t = 0; t < rounds_ && !barriers_; ++t) barriers_ = schedule_.barrier(t);
    places_.resize(nodes_);
    for (Rank r = 0; r < nodes_; ++r) begin(static_cast<std::uint32_t>(r));
    while (!queue_.empty()) {
      const EventQueue::Event e = queue_.pop();
      expect_events();
      now_ = e.time;
      if (now_ > deadline_) return false;
      count_event();
      handle(e);
    }
    if (finished_ == nodes_) return (now_ = std::max(now_, all_left_)) <= deadline_;
    if (std::string circle = net_.circular_wait(*this); !circle.empty())
      throw Error(Error::Kind::illegal, "the network comes to a stop: " + circle);
    stuck();
  }

  bool lockstep() {
    if constexpr (detailed) wait_for_the_last();
    Turnout turnout(schedule_, nodes_, detailed);  // an observer is told of everybody's rest
    for (Round t = 0; t < rounds_; ++t) {
      Bytes permuted = 0, packed = 0;
      turnout.each(t, [&](Rank r) {
        const Seen seen = feed_->part(t, r);
        permuted = std::max(permuted, seen.part().permuted);
        packed = std::max(packed, seen.part().packed);
        watched([&](Watch& w) { w.entered(static_cast<std::uint32_t>(r), now_); });
        send(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(t), seen);
      });
      while (!queue_.empty()) {
        const EventQueue::Event e = queue_.pop();
        now_ = e.time;
        if (now_ > deadline_) return false;
        count_event();
        if (e.what >= own) {
          net_.handle(*this, e);
        } else {
          watched([&](Watch& w) { w.arrived(e.who, now_); });
          free_.push_back(e.who);
        }
      }
      now_ = std::max(now_, all_left_);
      watched([&](Watch& w) { w.round_over(t, now_); });
      if (std::string circle = net_.circular_wait(*this); !circle.empty())
        throw Error(Error::Kind::illegal, "the network comes to a stop: " + circle);
      pass(t, static_cast<double>(permuted + packed) * machine_.rho, Stay::Why::copied);
      if (schedule_.barrier(t)) pass(t, barrier_time(), Stay::Why::barrier);
      if (now_ > deadline_) return false;
    }
    return true;
  }

  /// Fetches the memory of the next events, of all at once: where there is more than fits in the cache, the simulator
  /// would wait for it most of the time, event by event.
  void expect_events() {
    constexpr std::size_t at_once = 48, few = 1 << 13;
    if (expected_ > 0) --expected_;
    if (expected_ > 0 || flights_.size() < few) return;
    const std::span<const EventQueue::Event> coming = queue_.coming(at_once);
    expected_ = coming.size();
    for (const EventQueue::Event& e : coming) __builtin_prefetch(flights_.data() + e.who, 1);
    for (const EventQueue::Event& e : coming)
      if (e.who < flights_.size()) expect(e.what, flights_[e.who]);
  }
  // GCC takes a call of a function that only fetches for one without an effect, and drops it unless it is inlined.
  [[gnu::always_inline]] void expect(std::uint32_t what, const Flight& f) const {
    if (what >= own) {
      if constexpr (requires { net_.expect(f); }) net_.expect(f);
      return;
    }
    if (what != arrived) return;
    __builtin_prefetch(&places_[f.to], 1);
    if constexpr (requires { net_.expect_sender(f.to); }) net_.expect_sender(f.to);
  }

  void count_event() {
    constexpr std::int64_t now_and_then = std::int64_t{1} << 20;
    if (++timeline_.events % now_and_then == 0 && progress_) progress_(now_, timeline_.messages);
  }

  /// Lockstep: everybody does the same for a while.
  void pass(Round t, Seconds duration, Stay::Why why) {
    if (!(duration > 0)) return;
    watched([&](Watch& w) { w.all_enter(now_); });
    now_ += duration;
    watched([&](Watch& w) { w.all_woken(t, why, now_); });
  }

  /// Lockstep: the first round begins when the last rank does.
  void wait_for_the_last() {
    Seconds begin = 0;
    for (Rank r = 0; r < nodes_; ++r) begin = std::max(begin, faults_.skew(r));
    pass(0, begin, Stay::Why::skew);
  }

  void begin(std::uint32_t r) {
    if constexpr (detailed)
      if (const Seconds late = faults_.skew(r); late > 0) return wake_up(places_[r], r, late, Stay::Why::skew);
    enter(r);
  }

  void handle(const EventQueue::Event& e) {
    if (e.what >= own) return net_.handle(*this, e);
    if (e.what == wake) return woken(e.who);
    watched([&](Watch& w) { w.arrived(e.who, now_); });
    free_.push_back(e.who);
    receive(Flight(flights_[e.who]), e.who);  // a copy: the next message may take its place
  }

  void wake_up(Place& p, std::uint32_t r, Seconds time, Stay::Why why) {
    p.why = why;
    queue_.push(time, r, wake);
  }

  void woken(std::uint32_t r) {
    Place& p = places_[r];
    if (p.why == Stay::Why::sent) {
      watched([&](Watch& w) { w.all_left(r, p.round, now_); });
      p.next();
    } else {
      watched([&](Watch& w) { w.woken(r, p.round, p.why, last_to_come_, p.why == Stay::Why::barrier, now_); });
    }
    enter(r);
  }

  /// The rank has all that it waits for, and goes on when its own messages have left. Where messages do not meet, a
  /// rank that knows that time does not wait for it: nobody sees what it does before.
  void go_on_later(Place& p, std::uint32_t r) {
    if (detailed || barriers_ || messages_meet()) return wake_up(p, r, p.sent, Stay::Why::sent);
    const Seconds now = std::exchange(now_, p.sent);
    count_event();  // as it would be
    p.next();
    enter(r);
    now_ = now;
  }

  bool messages_meet() const {
    if constexpr (requires { net_.messages_meet(); }) return net_.messages_meet();
    return true;
  }

  void receive(const Flight& m, std::uint32_t f) {
    Place& p = places_[m.to];
    if (p.round == m.round && p.waiting > 0) {
      if (--p.waiting > 0) return;
      if (p.sent > now_) return go_on_later(p, m.to);
      watched([&](Watch& w) { w.released(m.to, p.round, f, now_); });
      p.next();
      return enter(m.to);
    }
    places_.comes_early(m.to, m.round);
  }

  /// Begins the rank's round, and the next ones while they need nothing.
  void enter(std::uint32_t r) {
    watched([&](Watch& w) { w.entered(r, now_); });
    for (Place& p = places_[r]; p.round < rounds_; p.next()) {
      if (schedule_.barrier(p.round) && !join_barrier(r, p.round)) return;
      const Seen seen = feed_->part(p.round, r);
      const Part& part = seen.part();
      if (part.idle()) {
        skip(p, r);
        continue;
      }
      if (part.copied() > 0 && machine_.rho > 0 && !p.copied) {
        p.copied = true;
        return wake_up(p, r, now_ + static_cast<double>(part.copied()) * machine_.rho, Stay::Why::copied);
      }
      p.waiting = 1 + part.receives + static_cast<std::uint32_t>(part.peers.size()) - places_.came_early(r);
      send(r, p.round, seen);
      if (--p.waiting > 0) return;  // it counted itself, so that leaves() does not wake it here
      if (p.sent > now_) return wake_up(p, r, p.sent, Stay::Why::sent);
    }
    ++finished_;
    all_left_ = std::max(all_left_, now_);
  }

  /// To the round before the next one in which the rank may do something; where there are barriers, it comes to them.
  void skip(Place& p, std::uint32_t r) const {
    if (barriers_) return;
    const Rounds active = schedule_.active(Rank{r});
    if (p.round < active.first)
      p.round = static_cast<std::uint32_t>(active.first - 1);
    else if (p.round >= active.end)
      p.round = static_cast<std::uint32_t>(rounds_ - 1);
  }

  void send(std::uint32_t r, std::uint32_t round, const Seen& seen) {
    const Part& part = seen.part();
    if constexpr (requires { net_.enters(*this, r, round, part); }) net_.enters(*this, r, round, part);
    for (const Part::Bundle& b : part.bundles) {
      bundle_.clear();
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i) {
        std::uint32_t f;
        if (free_.empty()) {
          f = static_cast<std::uint32_t>(flights_.size());
          flights_.emplace_back();
        } else {
          f = free_.back();
          free_.pop_back();
        }
        flights_[f] = {b.bytes, now_, r, seen.peer(i), round, none};
        watched([&](Watch& w) { w.asked(f, r, flights_[f].to, round, b.bytes, now_); });
        bundle_.push_back(f);
      }
      timeline_.messages += b.count;
      net_.start(*this, std::span<const std::uint32_t>(bundle_));
    }
  }

  /// True once all ranks have come to the barrier before `round`.
  bool join_barrier(std::uint32_t r, Round round) {
    if (passed_ >= round) return true;
    at_barrier_.push_back(r);
    if (static_cast<Rank>(at_barrier_.size()) < nodes_) return false;
    passed_ = round;
    last_to_come_ = r;
    for (const std::uint32_t other : at_barrier_)
      wake_up(places_[other], other, now_ + barrier_time(), Stay::Why::barrier);
    at_barrier_.clear();
    return false;
  }

  Seconds barrier_time() const {
    int log2 = 0;
    while ((Rank{1} << log2) < spec_.ranks()) ++log2;
    return machine_.barrier + machine_.barrier_log2 * log2;
  }

  [[noreturn]] void stuck() const {
    for (Rank r = 0; r < nodes_; ++r) {
      const Place& p = places_[static_cast<std::uint32_t>(r)];
      if (p.round < rounds_)
        throw Error(
            Error::Kind::illegal,
            fmt::format("rank {} waits for ever in round {}; quadrille verify finds the message that is missing", r,
                        p.round));
    }
    throw Error(Error::Kind::internal, "the simulation ended early");
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};

  const Spec& spec_;
  const Machine& machine_;
  const Schedule& schedule_;
  Net net_;
  std::unique_ptr<Feed> feed_;
  Rank nodes_, finished_ = 0, last_to_come_ = 0;
  Round rounds_, passed_ = -1;
  bool barriers_ = false;  ///< before any round; only for dataflow
  Order order_;
  Seconds now_ = 0, deadline_;
  Seconds all_left_ = 0;  ///< the messages known so far
  const std::function<void(Seconds, std::int64_t)>& progress_;
  FaultModel faults_;
  Watch watch_;
  EventQueue queue_;
  std::size_t expected_ = 0;  ///< events still to come whose memory was fetched
  Places places_;
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_, bundle_, at_barrier_;
  Timeline timeline_;
};

template <class Net>
Timeline play(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options,
              Net net) {
  if (options.observer != nullptr || !options.faults.none())
    return Engine<Net, true>(spec, machine, schedule, options, std::move(net)).run();
  return Engine<Net>(spec, machine, schedule, options, std::move(net)).run();
}

}  // namespace quadrille
