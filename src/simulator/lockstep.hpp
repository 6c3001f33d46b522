// Round by round: each ends for all ranks when its last message has arrived and left, as prices count.
#pragma once

#include "simulator/barrier.hpp"
#include "simulator/engine.hpp"
#include "simulator/networks/turnout.hpp"

namespace quadrille::simulator {

template <class Net, bool detailed>
class Lockstep final : public Engine<Net, detailed> {
  using Base = Engine<Net, detailed>;

 public:
  Lockstep(const Spec& spec, const Machine& machine, const Schedule& schedule, const SimulateOptions& options, Net net)
      : Base(spec, machine, schedule, options, std::move(net)),
        rho_(machine.rho),
        gamma_(machine.gamma),
        barrier_(Barrier(schedule, machine, spec.ranks()).duration()) {}

  Timeline run() {
    if constexpr (detailed) wait_for_the_last();
    Turnout turnout(schedule_, nodes_);
    for (Round t = 0; t < this->rounds_; ++t)
      if (!play(t, turnout) || now_ > this->deadline_) return this->ended(false);
    return this->ended(true);
  }

  void leaves(std::uint32_t f, Seconds time) {
    if (!this->buffers(f)) left(f, time);
  }
  void left(std::uint32_t f, Seconds time) {
    this->watched([&](Watcher& w) { w.leaves(f, time); });
    last_ = std::max(last_, time);
  }
  void arrives(std::uint32_t f, Seconds time) {
    this->processors_.on() ? queue_.push(time, {f, Base::reached}) : delivered(f, time);
  }

 private:
  using Base::flights_, Base::nodes_, Base::now_, Base::queue_, Base::schedule_;

  void delivered(std::uint32_t f, Seconds time) {
    last_ = std::max(last_, time);
    if (!this->is_watched()) return flights_.give_back(f);
    if (this->watch_.tells_later(f, time, now_)) queue_.push(time, {f, Base::arrived});
    give_back(this->watch_.comes(f, time));
  }

  void give_back(std::uint32_t f) {
    if (f != Flights::none) flights_.give_back(f);
  }

  /// False when the deadline came first.
  bool play(Round t, Turnout& turnout) {
    Bytes permuted = 0, packed = 0, combined = 0;
    this->watched([&](Watcher& w) { w.round_begins(now_); });
    turnout.each(t, [&](Rank rank) {
      const auto r = static_cast<std::uint32_t>(rank);
      const Seen seen = this->feed_->part(t, rank);
      permuted = std::max(permuted, seen.part().permuted);
      packed = std::max(packed, seen.part().packed);
      combined = std::max(combined, seen.part().combined);
      this->send(*this, r, static_cast<std::uint32_t>(t), seen);
    });
    while (!queue_.empty()) {
      const Event e = queue_.pop();
      now_ = queue_.time();
      if (now_ > this->deadline_) return false;
      if (e.what == Base::arrived) {
        give_back(this->watch_.arrived(e.who, now_));
        continue;
      }
      this->count_event();
      if (e.what == Base::reached)
        delivered(e.who, this->divided_.arrived(e.who, now_).all ? this->taken(e.who, now_) : now_);
      else if (e.what == Base::offered)
        this->hand_over(*this, e.who);
      else
        this->net_.handle(*this, e);
    }
    now_ = std::max(now_, last_);
    this->watched([&](Watcher& w) { give_back(w.round_over(t, now_)); });
    this->refuse_circular_waits(*this);
    pass(t, static_cast<double>(permuted + packed) * rho_, Stay::Why::copied);
    pass(t, static_cast<double>(combined) * gamma_, Stay::Why::combined);
    if (schedule_.barrier(t)) pass(t, barrier_, Stay::Why::barrier);
    return true;
  }

  /// Everybody does the same for a while.
  void pass(Round t, Seconds duration, Stay::Why why) {
    if (!(duration > 0)) return;
    const Seconds begin = now_;
    now_ += duration;
    this->watched([&](Watcher& w) { w.all_woken(t, why, begin, now_); });
  }

  /// The first round begins when the last rank does.
  void wait_for_the_last() {
    Seconds begin = 0;
    for (Rank r = 0; r < nodes_; ++r) begin = std::max(begin, this->faults_.skew(r));
    pass(0, begin, Stay::Why::skew);
  }

  double rho_, gamma_;
  Seconds barrier_;
  Seconds last_ = 0;  ///< thing known to happen
};

}  // namespace quadrille::simulator
