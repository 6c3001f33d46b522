// The engine's and the networks' side of an observer: what is known of messages under way, and of ranks that wait.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/timeline.hpp"

namespace quadrille::simulator {

class Watcher {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Watcher(Observer* observer, Rank ranks)
      : observer_(observer), stays_(static_cast<std::size_t>(observer != nullptr ? ranks : 0)) {}
  bool on() const { return observer_ != nullptr; }

  /// Of networks. What they say of a message adds up: until_arrived to arrived - asked.
  Passage& message(std::uint32_t f) { return messages_[f]; }
  /// The sender is done with the message once it has spent `more` besides what is known of it so far; said before
  /// leaves().
  void until_left(std::uint32_t f, const TimeParts& more) {
    messages_[f].until_left = messages_[f].until_arrived;
    messages_[f].until_left += more;
  }
  /// The same where start-up and hops are latency, which the message spends after it has left.
  void until_left_before_latency(std::uint32_t f, const TimeParts& more) {
    until_left(f, more);
    messages_[f].until_left.start_up = messages_[f].until_left.hops = 0;
  }
  void occupied(std::uint32_t f, Link link, Seconds came, Seconds begin, Seconds end) {
    observer_->occupied({link, came, begin, end}, messages_[f]);
  }

  /// Of the engine.
  void asked(std::uint32_t f, Rank from, Rank to, Round round, Bytes bytes, Seconds now) {
    if (f >= messages_.size()) messages_.resize(f + 1);
    messages_[f] = {
        .id = f, .from = from, .to = to, .round = round, .bytes = bytes, .asked = now, .began = now, .came = now};
    observer_->asked(messages_[f]);
  }
  void leaves(std::uint32_t f, Seconds time) {
    Passage& m = messages_[f];
    m.left = time;
    Waiting& sender = stays_[static_cast<std::size_t>(m.from)];
    if (time >= sender.sent) sender.sent = time, sender.last = m;
    observer_->left(m);
  }
  /// Says that the message may have a new number's place in memory: not when its receiver may have to name it.
  std::uint32_t arrived(std::uint32_t f, Seconds now) {
    Passage& m = messages_[f];
    m.arrived = now;
    observer_->arrived(m);
    last_ = m;
    any_ = true;
    const auto found = coming_.find(key(m.to, m.round));
    if (found == coming_.end() || found->second.flight != f) return f;
    found->second.here = true;
    return none;
  }
  /// Not lockstep: the message will arrive then. Returns one that is here and no longer the last of its round, else
  /// none.
  std::uint32_t comes(std::uint32_t f, Seconds time) {
    const Passage& m = messages_[f];
    const auto [found, fresh] = coming_.try_emplace(key(m.to, m.round), Coming{time, f});
    Coming& last = found->second;
    if (fresh || time < last.time) return none;
    const std::uint32_t before = last.here ? last.flight : none;
    last = {time, f};
    return before;
  }
  /// The rank waits in a round from now on.
  void entered(std::uint32_t r, Seconds now) {
    stays_[r].begin = now;
    stays_[r].sent = std::max(stays_[r].sent, now);
  }
  /// It goes on, because what it waited for is over: a message for it has come, or its own have left. Returns a number
  /// that is not needed any more, or none.
  std::uint32_t goes_on(std::uint32_t r, Round round, Seconds now) {
    return goes_on(r, round, now, stays_[r].sent, stays_[r].last);
  }
  /// The same when of its own messages it waited for this flight only, which has left at `left`, or for none.
  std::uint32_t goes_on(std::uint32_t r, Round round, Seconds now, Seconds left, std::uint32_t flight) {
    return goes_on(r, round, now, left, flight == none ? Passage{} : messages_[flight]);
  }
  /// It goes on without a wait.
  std::uint32_t passes(Rank r, Round round) {
    const auto found = coming_.find(key(r, round));
    if (found == coming_.end()) return none;
    const Coming last = found->second;
    coming_.erase(found);
    return last.here ? last.flight : none;
  }
  void woken(std::uint32_t r, Round round, Stay::Why why, Rank last, bool all, Seconds now) {
    const Seconds begin = stays_[r].begin;
    const Seconds sent = why == Stay::Why::barrier ? begin : now;
    observer_->stayed(
        {.rank = r, .round = round, .why = why, .begin = begin, .sent = sent, .end = now, .last = last, .all = all});
  }
  /// Lockstep: the messages of a round have arrived, everybody goes on.
  void round_over(Round round, Seconds now) {
    for (std::size_t r = 0; r < stays_.size(); ++r)
      observer_->stayed({.rank = static_cast<Rank>(r),
                         .round = round,
                         .why = Stay::Why::round,
                         .begin = stays_[r].begin,
                         .sent = stays_[r].sent,
                         .end = now,
                         .message = any_ ? &last_ : nullptr,
                         .all = true});
    any_ = false;
  }
  /// Lockstep: everybody rests, and goes on.
  void all_enter(Seconds now) {
    for (Waiting& w : stays_) w.begin = w.sent = now;
  }
  void all_woken(Round round, Stay::Why why, Seconds now) {
    for (std::size_t r = 0; r < stays_.size(); ++r) woken(static_cast<std::uint32_t>(r), round, why, 0, true, now);
  }
  void ended(Seconds now) { observer_->ended(now); }

 private:
  std::uint32_t goes_on(std::uint32_t r, Round round, Seconds now, Seconds left, const Passage& own) {
    const Waiting& w = stays_[r];
    const auto found = coming_.find(key(r, round));
    const bool came = found != coming_.end() && found->second.time >= left;
    observer_->stayed({.rank = r,
                       .round = round,
                       .why = came ? Stay::Why::arrived : Stay::Why::sent,
                       .begin = w.begin,
                       .sent = std::min(w.sent, now),
                       .end = now,
                       .message = came ? &messages_[found->second.flight] : &own});
    return passes(r, round);
  }

  struct Waiting {
    Seconds begin = 0, sent = 0;
    Passage last;  ///< of its own messages
  };
  /// Of the messages for a rank in a round, as far as is known, the one that arrives last.
  struct Coming {
    Seconds time = 0;
    std::uint32_t flight = none;
    bool here = false;
  };
  static std::uint64_t key(Rank r, Round round) {
    return static_cast<std::uint64_t>(r) << 32 | static_cast<std::uint32_t>(round);
  }
  Observer* observer_;
  std::vector<Passage> messages_;  ///< by flight
  std::vector<Waiting> stays_;     ///< by rank
  std::unordered_map<std::uint64_t, Coming> coming_;
  Passage last_;      ///< that arrived
  bool any_ = false;  ///< since the round began
};

}  // namespace quadrille::simulator
