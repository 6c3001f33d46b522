// When the trial of a row begins, and when it may go on: what it costs against what it can win. Nothing here knows MPI:
// how ranks agree on the figures is the caller's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dropin/decide/budget.hpp"

namespace quadrille::dropin {

/// All ranks go through the same states: what changes them are calls, which come in one order, and figures that all
/// have agreed on. But for what the trial has cost here, which is a figure to agree on.
class TrialPace {
 public:
  /// Calls that are MPI's at first, where nobody says otherwise: what is called once or twice is not worth a plan.
  static constexpr std::int64_t calls_before = 2;
  /// Calls that are MPI's while the trial is too expensive: twice as many each time, up to the last.
  static constexpr std::int64_t first_rest = 8, longest_rest = 1024;

  TrialPace() = default;
  explicit TrialPace(std::int64_t before) : ask_at_(before + 1) {}

  /// Before there is a trial: counts a call. Whether ranks talk about the row before they answer it.
  bool meets_before_this_call() { return ++seen_ >= ask_at_; }
  /// They have, and no trial can be afforded: they do again after so many times the calls until now.
  void postpone(std::int64_t patience) { ask_at_ = patience * seen_; }
  /// The trial begins; what a call of MPI's took until now, in the mean on the slowest rank.
  void begin(Seconds native_call) { native_call_ = native_call; }

  /// While there is a trial, before a call: whether it is MPI's without a word between ranks.
  bool rests() { return rest_left_ > 0 && rest_left_-- > 0; }
  /// What the trial will have cost here after one more turn like the last.
  Seconds cost_after_next() const { return cost_ + turn_; }
  Seconds next_turn() const { return turn_; }
  /// What the longest of all ranks' are.
  struct Figures {
    Seconds cost = 0;   ///< cost_after_next()
    Seconds spent = 0;  ///< on all trials of the program, with one more turn
    Seconds since_begin = 0;
  };
  /// Whether the trial may take a turn. `calls` of the row have come; `could_win`: what part of MPI's time its best
  /// plan may win. Where it may not, it rests.
  bool goes_on(const Budget& budget, const Figures& longest, std::int64_t calls, double could_win) {
    const Seconds taken = static_cast<double>(calls) * native_call_;
    if (budget.in_time(longest.spent, longest.since_begin) && budget.worth_it(longest.cost, could_win * taken))
      return true;
    rest_left_ = rest_;
    rest_ = std::min(2 * rest_, longest_rest);
    return false;
  }
  /// A call took so long on this rank, with all that was said about it. What it cost beyond one of MPI's; remembered.
  Seconds took(Seconds seconds, bool was_turn) {
    const Seconds cost = std::max(seconds - native_call_, 0.0);
    if (was_turn) turn_ = cost;
    cost_ += cost;
    return cost;
  }
  /// Goes on as on another communicator of the same ranks; turns are timed anew.
  void take_over(const TrialPace& other) {
    const std::int64_t seen = std::max(seen_, other.seen_);
    const Seconds turn = turn_;
    *this = other;
    seen_ = seen;
    turn_ = turn;
  }

 private:
  std::int64_t seen_ = 0;                   ///< calls before the trial
  std::int64_t ask_at_ = calls_before + 1;  ///< the call of these before which ranks talk about a trial
  Seconds native_call_ = 0;
  Seconds cost_ = 0;  ///< on this rank, beyond what its calls would have taken
  Seconds turn_ = 0;  ///< of that, the last turn's
  std::int64_t rest_ = first_rest, rest_left_ = 0;
};

}  // namespace quadrille::dropin
