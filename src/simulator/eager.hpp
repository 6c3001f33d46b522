// Every message by itself, as soon as its bytes are at its sender and the link or port that it leaves by is free.
#pragma once

#include "simulator/barrier.hpp"
#include "simulator/eager_parts.hpp"
#include "simulator/engine.hpp"
#include "simulator/place.hpp"
#include "simulator/script.hpp"

namespace quadrille::simulator {

/// What executors do: a rank takes what comes to it in the order of rounds; what it sends is tied to no round. A
/// channel (one for each link of a rank, or its port, or its access to a medium) takes one bundle after the other, in
/// the order in which they could go; the next one's start-up begins when the last one has left.
template <class Net, bool detailed>
class Eager final : public Engine<Net, detailed>, private EagerParts {
  using Base = Engine<Net, detailed>;

 public:
  Eager(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options, Net net)
      : Base(spec, machine, schedule, options, std::move(net)),
        rho_(machine.rho),
        gamma_(machine.gamma),
        one_port_(machine.ports == Ports::one),
        barrier_(schedule, machine, spec.ranks()),
        script_(spec, machine, schedule, options.progress),
        channels_(script_.channels()),
        reused_(script_.reused()) {}

  Timeline run() {
    places_.resize(nodes_);
    for (std::uint32_t r = 0; r < nodes_; ++r)
      acts_.push_back({.bundle = script_.first_bundle(r), .settled = script_.first_reused(r)});
    for (std::uint32_t r = 0; r < nodes_; ++r) begin(r);
    while (!queue_.empty()) {
      const Event e = queue_.pop();
      now_ = queue_.time();
      if (now_ > this->deadline_) return this->ended(false);
      if (e.what == Base::arrived)
        give_back(this->watch_.arrived(e.who, now_));
      else
        this->count_event(), handle(e);
    }
    if (finished_ < nodes_) stuck();
    return this->ended(now_ <= this->deadline_);
  }

  /// The flight's sender is done with it at `time`, which is not before now.
  void leaves(std::uint32_t f, Seconds time) {
    if (!this->buffers(f)) left(f, time);
  }
  void left(std::uint32_t f, Seconds time) {
    this->watched([&](Watcher& w) { w.leaves(f, time); });
    const Sent sent = sent_[f];
    if (!processors_.on()) {
      Channel& channel = channels_[sent.channel];
      channel.free = std::max(channel.free, time);
      if (--channel.leaving == 0 && channel.first != none) queue_.push(channel.free, {sent.channel, Base::freed});
    }
    const Divided::End end = divided_.left(f, time);
    if (sent.reused == none || !end.all) return;
    reused_[sent.reused] = {end.time, end.flight};
    const std::uint32_t r = flights_[f].from;
    if (!acts_[r].settles || !settled(r)) return;
    acts_[r].settles = false;
    if (places_[r].knows(acts_[r].settled_at)) go_on_later(r);
  }
  /// The flight arrives at `time`, which is not before now.
  void arrives(std::uint32_t f, Seconds time) {
    processors_.on() ? queue_.push(time, {f, Base::reached}) : delivered(f, time, divided_.arrived(f, time));
  }

 private:
  using Base::divided_, Base::flights_, Base::net_, Base::nodes_, Base::now_, Base::processors_, Base::queue_;

  /// The flight arrives, and so does its message.
  void delivered(std::uint32_t f, Seconds time) { delivered(f, time, {time, f, true}); }
  void delivered(std::uint32_t f, Seconds time, const Divided::End& message) {
    const std::uint32_t to = flights_[f].to, round = flights_[f].round;
    if (this->is_watched()) {
      if (this->watch_.tells_later(f, time, now_)) queue_.push(time, {f, Base::arrived});
      give_back(this->watch_.comes(f, time));
    } else {
      flights_.give_back(f);
    }
    if (!message.all) return;
    Place& p = places_[to];
    if (!p.waits_for(round)) return places_.comes_early(to, round, message.time);
    if (p.knows(message.time)) go_on_later(to);
  }
  void reached(std::uint32_t f) {
    if (const Divided::End message = divided_.arrived(f, now_); !message.all) return delivered(f, now_, message);
    if (this->is_taken(f, places_[flights_[f].to])) delivered(f, this->taken(f, now_));
  }

  void handle(const Event& e) {
    if (e.what == Base::wake) return woken(e.who);
    if (e.what == Base::freed) return hand_over_next(channels_[e.who]);
    if (e.what == Base::reached) return reached(e.who);
    if (e.what == Base::offered) return hand_over_at_once(e.who);
    net_.handle(*this, e);
  }

  void begin(std::uint32_t r) {
    if constexpr (detailed)
      if (const Seconds late = this->faults_.skew(r); late > 0) return sleep(r, late, Stay::Why::skew);
    act(r);
  }

  /// Offers what the steps done allow, and takes the next steps while they need no time.
  void act(std::uint32_t r) {
    Place& p = places_[r];
    for (Act& a = acts_[r];; ++a.step) {
      for (; may_go(r); ++a.bundle) {
        if (works(static_cast<double>(script_.bundle(a.bundle).packed) * rho_, r, Stay::Why::copied)) return;
        offer(r, static_cast<std::uint32_t>(a.bundle));
      }
      if (a.step == script_.steps(r).size()) return finish();
      const Script::Step& step = script_.steps(r)[a.step];
      this->watched([&](Watcher& w) { w.entered(r, now_); });
      p.round = step.round;
      if (step.barrier && barrier_.stops(step.round)) return come_to_barrier(r, step.round);
      if (waits(r, step)) return;
      this->watched([&](Watcher& w) { give_back(w.passes(r, step.round)); });
      if (ends_later(r)) return;
    }
  }
  bool may_go(std::uint32_t r) {
    const std::size_t b = acts_[r].bundle;
    return b < script_.end_bundle(r) && script_.bundle(b).after <= acts_[r].step;
  }

  /// Begins the step; false when all that it waits for is over.
  bool waits(std::uint32_t r, const Script::Step& step) {
    Place& p = places_[r];
    acts_[r].settles = !settled(r);
    if (!acts_[r].settles) p.until = std::max(p.until, acts_[r].settled_at);
    p.waiting = 1 + step.receives + (acts_[r].settles ? 1 : 0) - places_.came_early(r);
    if (processors_.on())
      for (const std::uint32_t f : processors_.held(r, step.round)) delivered(f, this->taken(f, flights_[f].asked));
    --p.waiting;  // it counted itself, so that delivered() does not let the rank go on here
    if (p.waiting == 0 && p.until > now_) go_on_later(r);
    return p.waiting > 0 || p.until > now_;
  }
  /// Whether all sends have left that its step waits for, or are known to leave at settled_at.
  bool settled(std::uint32_t r) {
    Act& a = acts_[r];
    const std::uint32_t until = script_.first_reused(r) + script_.steps(r)[a.step].settle;
    for (; a.settled < until && reused_[a.settled].left >= 0; ++a.settled)
      if (reused_[a.settled].left >= a.settled_at)
        a.settled_at = reused_[a.settled].left, a.last = reused_[a.settled].flight;
    return a.settled >= until;
  }
  bool ends_later(std::uint32_t r) {
    const Script::Step& step = script_.steps(r)[acts_[r].step];
    const Seconds copying = static_cast<double>(step.copied) * rho_,
                  combining = static_cast<double>(step.combined) * gamma_;
    acts_[r].ends = works(copying + combining, r, combining > copying ? Stay::Why::combined : Stay::Why::copied);
    return acts_[r].ends;
  }

  /// Whether the rank has to copy or combine for so long first; it sleeps until it has done so.
  bool works(Seconds duration, std::uint32_t r, Stay::Why why) {
    Place& p = places_[r];
    if (!(duration > 0) || std::exchange(p.copied, false)) return false;
    p.copied = true;
    this->watched([&](Watcher& w) { w.entered(r, now_); });
    sleep(r, now_ + duration, why);
    return true;
  }
  void sleep(std::uint32_t r, Seconds until, Stay::Why why) {
    places_[r].why = why;
    queue_.push(until, {r, Base::wake});
  }
  void go_on_later(std::uint32_t r) { sleep(r, places_[r].until, Stay::Why::sent); }

  void woken(std::uint32_t r) {
    Place& p = places_[r];
    Act& a = acts_[r];
    if (p.why == Stay::Why::sent) {
      this->watched([&](Watcher& w) { give_back(w.goes_on(r, p.round, now_, a.settled_at, a.last)); });
      if (ends_later(r)) return;
      ++a.step;
    } else {
      this->watched(
          [&](Watcher& w) { w.woken(r, p.round, p.why, barrier_.last(), p.why == Stay::Why::barrier, now_); });
      if (std::exchange(a.ends, false)) ++a.step, p.copied = false;
    }
    act(r);
  }

  void offer(std::uint32_t r, std::uint32_t b) {
    Script::Bundle& bundle = script_.bundle(b);
    const bool begins = script_.members(bundle).front().way == 0, part = !begins || divided(r, bundle);
    for (Script::Member& m : script_.members(bundle)) {
      const std::uint32_t f = part ? this->take_part(m.way, r, m.peer, bundle.round)
                                   : this->take_whole(bundle.bytes, r, m.peer, bundle.round);
      if (f >= sent_.size()) sent_.resize(f + std::size_t{1});
      sent_[f] = {bundle.channel, m.reused};
      m.flight = f;
    }
    if (!processors_.on()) return line_up(b);
    if (begins) handed_over_ = processors_.sends(r, now_);
    queue_.push(handed_over_, {b, Base::offered});
  }
  /// Whether the message that begins with this bundle is divided; then its flights are taken next.
  bool divided(std::uint32_t r, const Script::Bundle& bundle) {
    if (!divided_.on()) return false;
    const std::span<const Script::Member> members = script_.members(bundle);
    if (members.size() > 1 && members[1].way == 0) return false;  // to several ranks
    const auto ways = divided_.ways(r, members.front().peer, bundle.bytes);
    if (!ways.empty()) divided_.begin(ways, bundle.bytes);
    return !ways.empty();
  }
  /// Counts messages, and lets their ends turn to them: once to one that is divided.
  void begin_messages(const std::vector<std::uint32_t>& flights) {
    this->timeline_.messages += std::ssize(flights);
    if (!divided_.starts(flights.front())) return;
    const auto messages = std::span(flights).first(divided_.is_part(flights.front()) ? 1 : flights.size());
    if constexpr (requires { net_.prepares(*this, messages); }) net_.prepares(*this, messages);
  }
  /// Where processors take their time, they hand over what they have, and messages meet in the network.
  void hand_over_at_once(std::uint32_t b) {
    const Script::Bundle& bundle = script_.bundle(b);
    flights_of_bundle_.clear();
    for (const Script::Member& m : script_.members(bundle)) flights_of_bundle_.push_back(m.flight);
    const std::vector<std::uint32_t> flights = flights_of_bundle_;
    begin_messages(flights);
    Base::hand_over(*this, flights);
  }
  /// At its channel, behind what is there.
  void line_up(std::uint32_t b) {
    Script::Bundle& bundle = script_.bundle(b);
    Channel& channel = channels_[bundle.channel];
    if (channel.first == none && channel.leaving == 0 && channel.free <= now_) return hand_over(channel, bundle);
    if (channel.first != none)
      script_.bundle(channel.last).next = b;
    else if (channel.first = b; channel.leaving == 0)
      queue_.push(channel.free, {bundle.channel, Base::freed});
    channel.last = b;
  }
  void hand_over_next(Channel& channel) {
    Script::Bundle& bundle = script_.bundle(channel.first);
    channel.first = bundle.next;
    hand_over(channel, bundle);
  }
  void hand_over(Channel& channel, const Script::Bundle& bundle) {
    flights_of_bundle_.clear();
    for (const Script::Member& m : script_.members(bundle)) {
      Flight& flight = flights_[m.flight];
      const Seconds queued = now_ - std::exchange(flight.asked, now_);
      this->timeline_.queued += queued;
      this->watched([&](Watcher& w) {
        Watched& seen = w.message(m.flight);
        (one_port_ ? seen.until_arrived.port : seen.until_arrived.link) += queued;
        seen.began = now_;
      });
      flights_of_bundle_.push_back(m.flight);
    }
    begin_messages(flights_of_bundle_);
    channel.leaving = bundle.count;
    this->start(*this, flights_of_bundle_);
  }

  void finish() { ++finished_; }

  void come_to_barrier(std::uint32_t r, Round round) {
    if (static_cast<Rank>(barrier_.come(r)) < nodes_) return;
    for (const std::uint32_t other : barrier_.open(round)) sleep(other, now_ + barrier_.duration(), Stay::Why::barrier);
  }

  /// When somebody watches, what a rank may have to name later keeps its number.
  void give_back(std::uint32_t f) {
    if (f != none && sent_[f].reused == none) flights_.give_back(f);
  }

  [[noreturn]] void stuck() {
    for (std::uint32_t r = 0; r < nodes_; ++r)
      if (acts_[r].step < script_.steps(r).size()) this->refuse_waiting(*this, r, places_[r].round);
    throw Error(Error::Kind::internal, "the simulation ended early");
  }

  double rho_, gamma_;
  bool one_port_;
  Barrier barrier_;
  Script script_;
  Places places_;
  std::vector<Act> acts_;          ///< of ranks
  std::vector<Channel> channels_;  ///< of the script
  std::vector<Reused> reused_;     ///< by the script's numbers
  std::vector<Sent> sent_;         ///< of flights
  std::vector<std::uint32_t> flights_of_bundle_;
  Seconds handed_over_ = 0;  ///< when processors have handed over the message offered last
  Rank finished_ = 0;
};

}  // namespace quadrille::simulator
