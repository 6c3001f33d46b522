// The engine's and the networks' side of an observer: what is known of messages under way, and of ranks that wait.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/huge_pages.hpp"
#include "quadrille/audit.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/timeline.hpp"
#include "simulator/flight.hpp"
#include "simulator/networks/router.hpp"
#include "simulator/watch/arrivals.hpp"
#include "simulator/watch/ledger.hpp"
#include "simulator/watch/watched.hpp"

namespace quadrille::simulator {

/// An auditor is not told of passages: what it keeps of them is written to its ledger, in a fraction of the time.
class Watcher {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `in_order`: ranks receive messages in the order in which it becomes known when.
  Watcher(Observer* observer, Rank ranks, const Flights& flights, Order order, bool in_order)
      : observer_(observer), flights_(flights), order_(order), arrivals_(room(ranks, order != Order::lockstep)) {
    if (auto* auditor = dynamic_cast<Auditor*>(observer)) ledger_ = &auditor->ledger();
    if (ledger_ != nullptr && order == Order::lockstep) ledger_->keep_step();
    in_order_ = ledger_ != nullptr && in_order;
    begin_.resize(room(ranks, true), 0);
    sent_.resize(begin_.size(), 0);
    own_.resize(room(ranks, order == Order::dataflow));
  }
  bool on() const { return observer_ != nullptr; }

  /// Of networks. What they say of a message adds up: until_arrived to arrived - asked.
  Watched& message(std::uint32_t f) { return messages_[f]; }
  /// Said right before leaves(): the sender is done with it once it has spent `more` besides what is known so far.
  void until_left(std::uint32_t f, const TimeParts& more) {
    until_left_ = messages_[f].until_arrived;
    until_left_ += more;
    keep_until_left(f);
  }
  /// The same where start-up and hops are latency, which the message spends after it has left.
  void until_left_before_latency(std::uint32_t f, const TimeParts& more) {
    until_left(f, more);
    until_left_.start_up = until_left_.hops = 0;
    keep_until_left(f);
  }
  void occupied(std::uint32_t f, Link link, Seconds came, Seconds begin, Seconds end) {
    if (ledger_ != nullptr) return ledger_->occupied(link, came, begin, end);
    observer_->occupied({link, came, begin, end}, passage(f, 0));
  }

  /// The same of a lane.
  void crossed(std::uint32_t f, Lane lane, const Router& router, Seconds came, Seconds begin, Seconds end) {
    if (ledger_ != nullptr) return ledger_->crossed(lane, came, begin, end);
    observer_->occupied({router.link(lane), came, begin, end}, passage(f, 0));
  }

  /// Of the engine.
  void asked(std::uint32_t f, std::uint32_t from, std::uint32_t round, Seconds now) {
    if (f >= messages_.size()) messages_.resize(f + std::size_t{1});
    messages_[f] = {.asked = now, .began = now, .came = now};
    if (ledger_ != nullptr) return ledger_->asked(f, from, round, now);
    observer_->asked(passage(f, 0));
  }
  void leaves(std::uint32_t f, Seconds time) {
    const std::uint32_t from = flights_[f].from;
    Watched& m = messages_[f];
    m.left = time;
    if (time >= sent_[from]) {
      sent_[from] = time;
      if (order_ == Order::dataflow) keep_own(f, from);
    }
    if (ledger_ != nullptr) return ledger_->left(from, m.began, time);
    observer_->left(passage(f, 0));
  }
  /// Whether arrived() has to be told when the message arrives. If not, it is as if it had been.
  bool tells_later(std::uint32_t f, Seconds time, Seconds now) {
    Watched& m = messages_[f];
    const Seconds contention = m.until_arrived.contention();
    m.here = in_order_ && (contention == 0 || time == now);
    if (m.here) ledger_->queued(flights_[f].round, contention);
    return !m.here;
  }
  /// Says that the message may have a new number's place in memory: not when its receiver may have to name it.
  std::uint32_t arrived(std::uint32_t f, Seconds now) {
    Watched& m = messages_[f];
    const Flight& flight = flights_[f];
    m.here = true;
    if (ledger_ != nullptr) {
      if (!in_order_) ledger_->received(flight.to, flight.round, m.came, now);
      ledger_->queued(flight.round, m.until_arrived.contention());
    } else {
      observer_->arrived(passage(f, now));
    }
    if (order_ == Order::lockstep) return f == last_.flight ? none : f;
    const Arrivals::Last* last = arrivals_.find(flight.to, flight.round);
    return last != nullptr && last->flight == f ? none : f;
  }
  /// It will arrive then. Returns one that is here and nobody has to name any more, else none.
  std::uint32_t comes(std::uint32_t f, Seconds time) {
    const Flight& m = flights_[f];
    if (in_order_) ledger_->received(m.to, m.round, messages_[f].came, time);
    if (order_ == Order::lockstep) return replace(last_, f, time);
    Arrivals::Last* last = arrivals_.find(m.to, m.round);
    if (last != nullptr) return replace(*last, f, time);
    arrivals_.add(m.to, {time, f, m.round});
    return none;
  }
  /// The rank waits in a round from now on.
  void entered(std::uint32_t r, Seconds now) {
    begin_[r] = now;
    sent_[r] = std::max(sent_[r], now);
  }
  /// It goes on, because what it waited for is over: a message for it has come, or its own have left. Returns a number
  /// that is not needed any more, or none.
  std::uint32_t goes_on(std::uint32_t r, std::uint32_t round, Seconds now) {
    const Own& own = own_[r];
    if (came(r, round, now, sent_[r])) return passes(r, round);
    if (ledger_ != nullptr)
      ledger_->goes_on(Stay::Why::sent, r, round, now, {own.id, r, own.to, own.bytes, own.asked, own.until_left, true});
    else
      tell_sent(r, round, now, passage_of(own, r));
    return passes(r, round);
  }
  /// The same when of its own messages it waited for this flight only, which has left at `left`, or for none.
  std::uint32_t goes_on(std::uint32_t r, std::uint32_t round, Seconds now, Seconds left, std::uint32_t flight) {
    if (came(r, round, now, left)) return passes(r, round);
    if (ledger_ == nullptr) {
      tell_sent(r, round, now, flight == none ? Passage{} : passage(flight, 0));
      return passes(r, round);
    }
    if (flight == none) {
      ledger_->goes_on(Stay::Why::sent, r, round, now, {0, 0, 0, 0, 0, TimeParts{}, false});
    } else {
      const Flight& m = flights_[flight];
      ledger_->goes_on(Stay::Why::sent, r, round, now,
                       {flight, m.from, m.to, m.bytes, messages_[flight].asked, all_until_left_[flight], false});
    }
    return passes(r, round);
  }
  /// It goes on without a wait.
  std::uint32_t passes(std::uint32_t r, std::uint32_t round) {
    const std::uint32_t flight = arrivals_.take(r, round);
    return flight != none && messages_[flight].here ? flight : none;
  }
  void woken(std::uint32_t r, Round round, Stay::Why why, Rank last, bool all, Seconds now) {
    const bool barrier = why == Stay::Why::barrier;
    const Seconds begin = begin_[r], sent = barrier ? begin : now;
    if (ledger_ == nullptr)
      return observer_->stayed(
          {.rank = r, .round = round, .why = why, .begin = begin, .sent = sent, .end = now, .last = last, .all = all});
    if (barrier) ledger_->waited(r, now - sent);
    ledger_->goes_on(why, r, static_cast<std::uint32_t>(round), now, barrier ? static_cast<std::uint32_t>(last) : r,
                     all);
  }

  /// Lockstep: all ranks begin a round.
  void round_begins(Seconds now) {
    round_began_ = now;
    if (ledger_ == nullptr)
      for (std::size_t r = 0; r < begin_.size(); ++r) entered(static_cast<std::uint32_t>(r), now);
  }
  /// Its messages have arrived, everybody goes on. Returns a number that is not needed any more, or none.
  std::uint32_t round_over(Round round, Seconds now) {
    const std::uint32_t flight = std::exchange(last_.flight, none);
    if (ledger_ != nullptr) {
      ledger_->all_waited(sent_, round_began_, now);
      if (flight == none) return none;
      const Flight& m = flights_[flight];
      ledger_->all_go_on(
          static_cast<std::uint32_t>(round), now,
          {flight, m.from, m.to, m.bytes, messages_[flight].asked, messages_[flight].until_arrived, true});
      return flight;
    }
    const Passage last = flight == none ? Passage{} : passage(flight, last_.time);
    for (std::size_t r = 0; r < begin_.size(); ++r)
      observer_->stayed({.rank = static_cast<Rank>(r),
                         .round = round,
                         .why = Stay::Why::round,
                         .begin = begin_[r],
                         .sent = sent_[r],
                         .end = now,
                         .message = flight == none ? nullptr : &last,
                         .all = true});
    return flight;
  }
  /// Lockstep: everybody rests from then on, and goes on.
  void all_woken(Round round, Stay::Why why, Seconds begin, Seconds now) {
    if (ledger_ != nullptr) {
      if (why == Stay::Why::barrier) ledger_->all_waited(sent_, begin, now);
      return ledger_->all_go_on(why, static_cast<std::uint32_t>(round), now);
    }
    for (std::size_t r = 0; r < begin_.size(); ++r) {
      begin_[r] = sent_[r] = begin;
      woken(static_cast<std::uint32_t>(r), round, why, 0, true, now);
    }
  }
  void ended(Seconds now) { observer_->ended(now); }

  /// Fetches what will be looked at when the rank goes on, and then what that says.
  [[gnu::always_inline]] void expect_rank(std::uint32_t r) const {
    expect_receiver(r);
    __builtin_prefetch(&own_[r], 1);
    __builtin_prefetch(reinterpret_cast<const char*>(&own_[r]) + 64, 1);
  }
  [[gnu::always_inline]] void expect_arrival(std::uint32_t r) const {
    if (ledger_ != nullptr) ledger_->expect_step(r);
    const std::uint32_t f = arrivals_.first(r);
    if (f == none) return;
    if (ledger_ != nullptr) ledger_->expect_message(f);
    __builtin_prefetch(&messages_[f]);
    __builtin_prefetch(reinterpret_cast<const char*>(&messages_[f]) + 64);
  }
  [[gnu::always_inline]] void expect_new(std::uint32_t f) const {
    if (f >= messages_.size()) return;
    __builtin_prefetch(&messages_[f], 1);
    __builtin_prefetch(reinterpret_cast<const char*>(&messages_[f]) + 64, 1);
  }
  [[gnu::always_inline]] void expect_receiver(std::uint32_t r) const {
    arrivals_.expect(r);
    if (ledger_ != nullptr) ledger_->expect_rank(r);
  }

 private:
  std::size_t room(Rank ranks, bool wanted) const { return on() && wanted ? static_cast<std::size_t>(ranks) : 0; }
  /// Eager, a rank may name any of its messages later; and observers are told once more on arrival.
  void keep_until_left(std::uint32_t f) {
    if (order_ != Order::eager && ledger_ != nullptr) return;
    if (f >= all_until_left_.size()) all_until_left_.resize(messages_.size());
    all_until_left_[f] = until_left_;
  }
  void keep_own(std::uint32_t f, std::uint32_t from) {
    const Flight& flight = flights_[f];
    const Watched& m = messages_[f];
    own_[from] = {until_left_, m.asked, m.began, m.left, flight.bytes, f, flight.to, flight.round, m.links};
  }
  /// Of two that come, the one that arrives last stays; the other one is given back if it has arrived.
  std::uint32_t replace(Arrivals::Last& last, std::uint32_t f, Seconds time) {
    std::uint32_t other = f;
    if (last.flight == none || time >= last.time) other = std::exchange(last.flight, f), last.time = time;
    return other != none && messages_[other].here ? other : none;
  }
  /// Whether the rank goes on because a message has arrived; then that is told.
  bool came(std::uint32_t r, std::uint32_t round, Seconds now, Seconds left) {
    const Arrivals::Last* last = arrivals_.find(r, round);
    if (last == nullptr || last->time < left) return false;
    const std::uint32_t f = last->flight;
    const Seconds sent = std::min(sent_[r], now);
    if (ledger_ != nullptr) {
      const Flight& m = flights_[f];
      ledger_->waited(r, now - sent);
      ledger_->goes_on(
          Stay::Why::arrived, r, round, now,
          {f, m.from, m.to, m.bytes, messages_[f].asked, messages_[f].until_arrived, order_ == Order::dataflow});
      return true;
    }
    const Passage message = passage(f, last->time);
    observer_->stayed({.rank = r,
                       .round = round,
                       .why = Stay::Why::arrived,
                       .begin = begin_[r],
                       .sent = sent,
                       .end = now,
                       .message = &message});
    return true;
  }
  void tell_sent(std::uint32_t r, std::uint32_t round, Seconds now, const Passage& own) {
    observer_->stayed({.rank = r,
                       .round = round,
                       .why = Stay::Why::sent,
                       .begin = begin_[r],
                       .sent = std::min(sent_[r], now),
                       .end = now,
                       .message = &own});
  }
  Passage passage(std::uint32_t f, Seconds arrived) const {
    const TimeParts until_left = f < all_until_left_.size() ? all_until_left_[f] : TimeParts{};
    return passage_of(f, flights_[f], messages_[f], until_left, arrived);
  }

  Observer* observer_;
  Ledger* ledger_ = nullptr;  ///< of the observer, if it is an auditor
  const Flights& flights_;
  Order order_;
  bool in_order_ = false;                  ///< and it is
  base::Table<Watched> messages_;          ///< by flight
  TimeParts until_left_;                   ///< of the message that leaves now
  base::Table<TimeParts> all_until_left_;  ///< by flight, where they are looked at later
  base::Table<Seconds> begin_, sent_;      ///< by rank: it began to wait; its messages have left
  base::Table<Own> own_;                   ///< by rank
  Arrivals arrivals_;
  Arrivals::Last last_;      ///< lockstep: of all messages of the round
  Seconds round_began_ = 0;  ///< lockstep
};

}  // namespace quadrille::simulator
