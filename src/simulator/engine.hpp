// What a network sees of a simulation: the time, the messages under way, and whom to tell; the same for all orders.
#pragma once

#include <fmt/format.h>

#include "quadrille/simulate.hpp"
#include "simulator/divided.hpp"
#include "simulator/event_queue.hpp"
#include "simulator/fault_model.hpp"
#include "simulator/feed.hpp"
#include "simulator/flight.hpp"
#include "simulator/place.hpp"
#include "simulator/processors.hpp"
#include "simulator/watch/watch.hpp"

namespace quadrille::simulator {

/// Kinds of events from here on are the network's.
constexpr std::uint32_t first_own_event = 5;

/// Plays a schedule on a network, which is one of
///   void start(Engine&, std::span<const std::uint32_t> flights)  one bundle, handed over by its sender at now(); those
///                                                                of a divided message come by themselves, way 0 first
///                                                                where they leave through one port;
///   void handle(Engine&, const Event&)                           what it pushed itself, kinds from first_own_event on;
///   std::string circular_wait(Engine&)                           who waits for whom in a circle, if anybody;
///   void enters(Engine&, rank, round, messages)                  optional: a rank begins a round of so many;
///   void prepares(Engine&, flights)                              optional, eager: both ends turn to what starts next,
///                                                                once for a message;
///   bool serves_in_order() const                                 optional: ranks receive in the order of arrives();
///   bool messages_meet() const                                   optional: false when none can hold up another;
///   expect(...), next(...), expect_sender(...)                   optional: see Foresight.
/// For each flight the network calls leaves(), and later or at once arrives(), as soon as it knows when. The loops are
/// in Dataflow, Eager and Lockstep. Observers and faults are looked for only when `detailed`: otherwise they cost
/// nothing. A message that is divided is told to observers and counted by the timeline as one for each of its ways.
template <class Net, bool detailed_>
class Engine {
 public:
  static constexpr bool detailed = detailed_;
  /// reached: a message is at its receiver's processor; offered: a sender's processor hands a bundle over.
  enum Kind : std::uint32_t { wake, arrived, freed, reached, offered };

  Engine(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options, Net net)
      : schedule_(schedule),
        net_(std::move(net)),
        feed_(make_feed(spec, machine, schedule)),
        nodes_(spec.topology->nodes()),
        rounds_(schedule.shape().rounds),
        deadline_(options.deadline),
        processors_(machine, spec.ranks()),
        faults_(*spec.topology, machine, options.faults),
        divided_(*spec.topology),
        watch_(options.observer, nodes_, flights_, options.order, in_order()),
        progress_(options.progress) {}

  Seconds now() const { return now_; }
  bool more_now() { return queue_.more_now(); }
  void push(Seconds time, std::uint32_t flight, std::uint32_t kind) { queue_.push(time, {flight, kind}); }
  void push(Seconds time, Event e) { queue_.push(time, e); }
  Flight& flight(std::uint32_t f) { return flights_[f]; }
  Timeline& timeline() { return timeline_; }
  /// Only where `detailed`.
  FaultModel& faults() { return faults_; }
  bool is_watched() const { return detailed && watch_.on(); }
  /// tell(Watcher&), when there is an observer.
  template <class Tell>
  void watched(Tell tell) {
    if constexpr (detailed)
      if (watch_.on()) tell(watch_);
  }

 protected:
  /// What a rank does in a round; `loop` is told when the messages leave and arrive.
  template <class Loop>
  void send(Loop& loop, std::uint32_t r, std::uint32_t round, const Seen& seen) {
    const Part& part = seen.part();
    const auto messages = static_cast<std::uint32_t>(part.bundles.size()) + part.receives;
    if constexpr (requires { net_.enters(loop, r, round, messages); }) net_.enters(loop, r, round, messages);
    for (const Part::Bundle& b : part.bundles) {
      bundle_.clear();
      if (!divided_.on() || b.count > 1 || !divide(r, seen.peer(b.first), round, b.bytes, bundle_))
        for (std::uint32_t i = b.first; i < b.first + b.count; ++i)
          bundle_.push_back(take_whole(b.bytes, r, seen.peer(i), round));
      timeline_.messages += std::ssize(bundle_);
      if (processors_.on()) {
        processors_.keep(bundle_);
        queue_.push(processors_.sends(r, now_), {bundle_.front(), offered});
      } else {
        start(loop, bundle_);
      }
    }
  }

  /// A flight for a message that is not divided.
  std::uint32_t take_whole(Bytes bytes, std::uint32_t from, std::uint32_t to, std::uint32_t round) {
    const std::uint32_t f = flights_.take(bytes, now_, from, to, round);
    divided_.add_whole(f);
    watched([&](Watcher& w) { w.asked(f, from, round, now_); });
    return f;
  }
  /// One of the message that divided_ has begun last.
  std::uint32_t take_part(std::uint32_t way, std::uint32_t from, std::uint32_t to, std::uint32_t round) {
    const std::uint32_t f = flights_.take(divided_.shares()[way], now_, from, to, round, way);
    divided_.add(f);
    watched([&](Watcher& w) { w.asked(f, from, round, now_); });
    return f;
  }
  /// Appends the flights of a message if it is divided; else false.
  bool divide(std::uint32_t from, std::uint32_t to, std::uint32_t round, Bytes bytes,
              std::vector<std::uint32_t>& flights) {
    const auto ways = divided_.ways(from, to, bytes);
    if (ways.empty()) return false;
    divided_.begin(ways, bytes);
    for (std::uint32_t way = 0; way < ways.size(); ++way) flights.push_back(take_part(way, from, to, round));
    return true;
  }
  /// Whether the sender of a flight's message is done with it once it has handed it over.
  bool buffers(std::uint32_t f) const {
    return processors_.on() && processors_.buffers(divided_.bytes(f, flights_[f]));
  }

  /// Flights of one message that is divided are served each by itself.
  template <class Loop>
  void start(Loop& loop, std::span<const std::uint32_t> flights) {
    if (!divided_.is_part(flights.front())) return net_.start(loop, flights);
    for (std::size_t i = 0; i < flights.size(); ++i) net_.start(loop, flights.subspan(i, 1));
  }

  /// The sender's processor hands over the bundle of which this is the first flight.
  template <class Loop>
  void hand_over(Loop& loop, std::uint32_t first) {
    hand_over(loop, processors_.kept(first));
  }
  template <class Loop>
  void hand_over(Loop& loop, const std::vector<std::uint32_t>& bundle) {
    for (const std::uint32_t f : bundle) {
      spent_overhead(f);
      if (!buffers(f)) continue;
      watched([&](Watcher& w) { w.until_left(f, {}); });
      loop.left(f, now_);
    }
    start(loop, bundle);
  }
  /// Since it was asked for, the flight has waited for its sender's processor.
  void spent_overhead(std::uint32_t f) {
    const Seconds spent = now_ - std::exchange(flights_[f].asked, now_);
    watched([&](Watcher& w) { w.message(f).until_arrived.overhead += spent; });
  }
  /// When the receiver's processor has taken the flight, which came to it at `came`.
  Seconds taken(std::uint32_t f, Seconds came) {
    const Seconds end = processors_.receives(flights_[f].to, divided_.bytes(f, flights_[f]), now_);
    watched([&](Watcher& w) { w.message(f).until_arrived += {.overhead = end - now_, .peer = now_ - came}; });
    return end;
  }

  /// A message has reached its receiver's processor, which takes it now if the rank has begun its round, else then:
  /// whether it is taken now.
  bool is_taken(std::uint32_t f, const Place& receiver) {
    Flight& m = flights_[f];
    if (receiver.waits_for(m.round)) return true;
    m.asked = now_;  // from here on it waits for its receiver
    processors_.hold(m.to, m.round, f);
    return false;
  }

  template <class Loop>
  void refuse_circular_waits(Loop& loop) {
    if (std::string circle = net_.circular_wait(loop); !circle.empty())
      throw Error(Error::Kind::illegal, "the network comes to a stop: " + circle);
  }
  template <class Loop>
  [[noreturn]] void refuse_waiting(Loop& loop, std::uint32_t r, std::uint32_t round) {
    refuse_circular_waits(loop);
    throw Error(Error::Kind::illegal,
                fmt::format("rank {} waits for ever in round {}; quadrille verify finds the message that is missing", r,
                            round));
  }

  bool in_order() const {
    if constexpr (requires { net_.serves_in_order(); }) return net_.serves_in_order() && !processors_.on();
    return false;
  }

  void count_event() {
    constexpr std::int64_t now_and_then = std::int64_t{1} << 20;
    if (++timeline_.events % now_and_then == 0 && progress_) progress_(now_, timeline_.messages);
  }

  Timeline ended(bool complete) {
    timeline_.complete = complete;
    timeline_.makespan = now_;
    watched([&](Watcher& w) { w.ended(now_); });
    return timeline_;
  }

  const Schedule& schedule_;
  Net net_;
  std::unique_ptr<Feed> feed_;
  Rank nodes_;
  Round rounds_;
  Seconds now_ = 0, deadline_;
  Processors processors_;
  FaultModel faults_;
  Divided divided_;
  Watcher watch_;
  EventQueue queue_;
  Flights flights_;
  Timeline timeline_;

 private:
  const std::function<void(Seconds, std::int64_t)>& progress_;
  std::vector<std::uint32_t> bundle_;
};

}  // namespace quadrille::simulator
