// The event loop: every rank goes through its rounds by itself, as soon as its own messages let it.
#pragma once

#include "simulator/barrier.hpp"
#include "simulator/engine.hpp"
#include "simulator/foresight.hpp"
#include "simulator/place.hpp"

namespace quadrille::simulator {

template <class Net, bool detailed>
class Dataflow final : public Engine<Net, detailed> {
  using Base = Engine<Net, detailed>;

 public:
  Dataflow(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options, Net net)
      : Base(spec, machine, schedule, options, std::move(net)),
        rho_(machine.rho),
        gamma_(combines(spec) ? machine.gamma : 0),
        barrier_(schedule, machine, spec.ranks()),
        in_waves_(!detailed && !barrier_.any() && !messages_meet() && !machine.has_overhead()) {}

  Timeline run() {
    places_.resize(nodes_);
    for (Rank r = 0; r < nodes_; ++r) begin(static_cast<std::uint32_t>(r));
    if (!(in_waves_ ? go_in_waves() : go_by_time())) return this->ended(false);
    if (finished_ < nodes_) stuck();
    now_ = std::max(now_, last_end_);
    return this->ended(now_ <= this->deadline_);
  }

  /// The flight's sender is done with it at `time`, which is not before now.
  void leaves(std::uint32_t f, Seconds time) {
    if (!this->buffers(f)) left(f, time);
  }
  void left(std::uint32_t f, Seconds time) {
    this->watched([&](Watcher& w) { w.leaves(f, time); });
    const std::uint32_t sender = flights_[f].from;
    const Divided::End end = divided_.left(f, time);
    if (!end.all) return;
    Place& p = places_[sender];
    if (p.knows(end.time)) go_on_later(p, sender);
  }
  /// The flight arrives at `time`, which is not before now; the network has nothing more to do with it. Neither this
  /// nor leaving is an event: a rank wakes when the last thing that it waits for is over, once it is known when.
  void arrives(std::uint32_t f, Seconds time) {
    processors_.on() ? queue_.push(time, {f, Base::reached}) : delivered(f, time, divided_.arrived(f, time));
  }

 private:
  using Base::divided_, Base::flights_, Base::net_, Base::nodes_, Base::now_, Base::processors_, Base::queue_,
      Base::rounds_, Base::schedule_;
  using Base::wake, Base::arrived;

  /// The flight arrives, and so does its message.
  void delivered(std::uint32_t f, Seconds time) { delivered(f, time, {time, f, true}); }
  void delivered(std::uint32_t f, Seconds time, const Divided::End& message) {
    const std::uint32_t to = flights_[f].to, round = flights_[f].round;
    if (this->is_watched())
      tell(f, time);
    else
      flights_.give_back(f);
    if (!message.all) return;
    Place& p = places_[to];
    if (!p.waits_for(round)) return places_.comes_early(to, round, message.time);
    if (p.knows(message.time)) go_on_later(p, to);
  }
  void reached(std::uint32_t f) {
    if (const Divided::End message = divided_.arrived(f, now_); !message.all) return delivered(f, now_, message);
    if (this->is_taken(f, places_[flights_[f].to])) delivered(f, this->taken(f, now_));
  }

  /// False when the deadline came first.
  bool go_by_time() {
    while (!queue_.empty()) {
      const Event e = queue_.pop();
      foresight_.look_ahead(queue_, flights_, places_, net_, *this->feed_, watch());
      now_ = queue_.time();
      if (now_ > this->deadline_) return false;
      if (e.what == arrived) {
        tell_arrival(e.who);
        continue;
      }
      this->count_event();
      handle(e);
    }
    return true;
  }

  void handle(const Event& e) {
    if (e.what == wake) return woken(e.who);
    if (e.what == Base::reached) return reached(e.who);
    if (e.what == Base::offered) return this->hand_over(*this, e.who);
    net_.handle(*this, e);
  }

  /// Where messages do not meet nobody can see in which order they are sent, unless somebody watches and is told which
  /// of two came last that arrive at one time. So every rank that knows when it goes on does, one round at a time: no
  /// queue, and memory is walked through from one end to the other.
  bool go_in_waves() {
    std::vector<std::uint32_t> wave;
    while (!ready_.empty()) {
      wave.clear();
      wave.swap(ready_);
      for (const std::uint32_t r : wave) {
        now_ = places_[r].until;
        if (now_ > this->deadline_) return false;
        this->count_event();
        woken(r);
      }
    }
    return true;
  }

  const Watcher* watch() const { return this->is_watched() ? &this->watch_ : nullptr; }

  bool messages_meet() const {
    if constexpr (requires { net_.messages_meet(); }) return net_.messages_meet();
    return true;
  }

  void begin(std::uint32_t r) {
    if constexpr (detailed)
      if (const Seconds late = this->faults_.skew(r); late > 0) return wake_up(places_[r], r, late, Stay::Why::skew);
    enter(r);
  }

  /// Begins the rank's round, and the next ones while they need nothing.
  void enter(std::uint32_t r) {
    this->watched([&](Watcher& w) { w.entered(r, now_); });
    for (Place& p = places_[r]; p.round < rounds_; p.next()) {
      if (barrier_.stops(p.round)) return come_to_barrier(r, p.round);
      const Seen seen = this->feed_->part(p.round, r);
      const Part& part = seen.part();
      if (part.idle()) {
        skip(p, r);
        continue;
      }
      if (part.copied() > 0 && rho_ > 0 && !p.copied) {
        p.copied = true;
        return wake_up(p, r, now_ + static_cast<double>(part.copied()) * rho_, Stay::Why::copied);
      }
      p.waiting = 1 + part.receives + static_cast<std::uint32_t>(part.peers.size()) - places_.came_early(r);
      this->send(*this, r, p.round, seen);
      if (processors_.on())
        for (const std::uint32_t f : processors_.held(r, p.round)) delivered(f, this->taken(f, flights_[f].asked));
      if (--p.waiting > 0) return;  // it counted itself, so that leaves() and arrives() do not let it go here
      if (in_waves_ || p.until > now_) return go_on_later(p, r);
      this->watched([&](Watcher& w) { give_back(w.passes(r, p.round)); });
      if (combines_first(p, r)) return;
    }
    finish(now_);
  }

  /// To the round before the next one in which the rank may do something; where there are barriers, it comes to them.
  void skip(Place& p, std::uint32_t r) const {
    if (barrier_.any()) return;
    const Schedule::Rounds active = schedule_.active(Rank{r});
    if (p.round < active.first)
      p.round = static_cast<std::uint32_t>(active.first - 1);
    else if (p.round >= active.end)
      p.round = static_cast<std::uint32_t>(rounds_ - 1);
  }

  /// All that the rank waits for in this round is known.
  void go_on_later(Place& p, std::uint32_t r) {
    if (!detailed && !(gamma_ > 0) && p.round + 1 == rounds_) {
      p.next();
      return finish(p.until);
    }
    wake_up(p, r, p.until, Stay::Why::sent);
  }

  /// Whether the rank has to combine what has come before it goes on; it sleeps until it has.
  bool combines_first(Place& p, std::uint32_t r) {
    if (!(gamma_ > 0)) return false;
    const Bytes bytes = this->feed_->part(p.round, r).part().combined;
    if (bytes > 0) wake_up(p, r, now_ + static_cast<double>(bytes) * gamma_, Stay::Why::combined);
    return bytes > 0;
  }

  void wake_up(Place& p, std::uint32_t r, Seconds time, Stay::Why why) {
    p.why = why;
    if (!in_waves_) return queue_.push(time, {r, wake});
    p.until = time;
    ready_.push_back(r);
  }

  void woken(std::uint32_t r) {
    Place& p = places_[r];
    if (p.why == Stay::Why::sent) {
      this->watched([&](Watcher& w) { give_back(w.goes_on(r, p.round, now_)); });
      if (combines_first(p, r)) return;
      p.next();
    } else {
      this->watched(
          [&](Watcher& w) { w.woken(r, p.round, p.why, barrier_.last(), p.why == Stay::Why::barrier, now_); });
      if (p.why == Stay::Why::combined) p.next();
    }
    enter(r);
  }

  void finish(Seconds time) {
    ++finished_;
    last_end_ = std::max(last_end_, time);
  }

  void come_to_barrier(std::uint32_t r, Round round) {
    if (static_cast<Rank>(barrier_.come(r)) < nodes_) return;
    for (const std::uint32_t other : barrier_.open(round))
      wake_up(places_[other], other, now_ + barrier_.duration(), Stay::Why::barrier);
  }

  /// A watched message keeps its number until it is no longer what its receiver came to wait for last.
  void tell(std::uint32_t f, Seconds time) {
    if (this->watch_.tells_later(f, time, now_)) queue_.push(time, {f, arrived});
    give_back(this->watch_.comes(f, time));
  }
  void tell_arrival(std::uint32_t f) { give_back(this->watch_.arrived(f, now_)); }
  void give_back(std::uint32_t f) {
    if (f != Flights::none) flights_.give_back(f);
  }

  [[noreturn]] void stuck() {
    for (std::uint32_t r = 0; r < nodes_; ++r)
      if (places_[r].round < rounds_) this->refuse_waiting(*this, r, places_[r].round);
    throw Error(Error::Kind::internal, "the simulation ended early");
  }

  double rho_, gamma_;
  Barrier barrier_;
  bool in_waves_;
  Places places_;
  Foresight foresight_;
  std::vector<std::uint32_t> ready_;  ///< in waves: to go on
  Rank finished_ = 0;
  Seconds last_end_ = 0;  ///< of the ranks that have finished
};

}  // namespace quadrille::simulator
