// MPI's own call against one plan, where calls differ in size and no rank knows by how much: both answer the same
// calls, one after the other, and what counts is the time of all of them. Nothing here knows MPI: how ranks agree on
// the times is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille::dropin {

/// A round is `turns` calls, which MPI and the plan answer both. The first call of a trial warms up and does not count.
/// Where the first round shows that calls are short, it does not count either, and from then on each answers a call
/// several times in a row, as in a ChoiceTrial. The trial is over when leaving out any one call would not change who
/// wins, or after most_turns.
///
/// Then one of both answers, for a pause. After it all ranks look whether calls have become twice as long or half as
/// long: if so the trial is held again. The pause is twice as long after a trial that has changed nothing and, up to a
/// limit, after a look that has found nothing: a look takes as long as some small calls.
class ExchangeTrial {
 public:
  static constexpr std::size_t turns = 4, most_turns = 16;
  static constexpr std::int64_t shortest_pause = 64, longest_between_looks = 16 * shortest_pause;

  /// `known`: the plan is best, as was found out before, and no trial is held.
  explicit ExchangeTrial(bool known = false) : known_(known), running_(!known), plan_wins_(known) {}

  bool running() const { return running_; }
  bool plan_wins() const { return plan_wins_; }

  /// Whether the plan goes first in this call: each does in every second one.
  bool plan_first() const { return held_ % 2 == 1; }
  /// How often each of both answers this call, where it may be answered again and again.
  std::size_t calls() const { return calls_each_way_; }
  /// What the call took on this rank by each of both, in seconds, and its bytes here. True when the round is over.
  bool took(double native, double plan, double bytes);
  /// This rank's figures of the round. The caller replaces each by the largest of all ranks', then calls judge().
  std::vector<double>& pending() { return pending_; }
  void judge();

  /// Of a call, with its bytes here, while none is held: whether the pause ends before it. Then look() follows, with
  /// the largest of all ranks' mean().
  bool pause_ends(double bytes);
  /// Whether the next call is MPI's and no pause ends before it. Then count() is enough.
  bool rests_with_mpi() const { return !running_ && !plan_wins_ && calls_ + 1 < pause_; }
  void count(double bytes) {
    bytes_ += bytes;
    ++calls_;
  }
  double mean() const { return bytes_ / static_cast<double>(calls_); }
  void look(double mean);

  /// Mean seconds of a call in the last trial; 0 before there was one.
  double native() const { return native_; }
  double plan() const { return plan_; }

 private:
  bool known_;
  bool running_, plan_wins_, held_before_ = false;
  std::size_t held_ = 0;  ///< calls of this trial
  std::size_t calls_each_way_ = 1;
  std::vector<double> pending_;  ///< native and plan by turns, at last the mean bytes
  std::vector<double> all_;      ///< native and plan by turns, of this trial
  double size_ = 0;              ///< mean bytes in the last trial
  std::int64_t pause_ = shortest_pause, calls_ = 0;
  double bytes_ = 0;  ///< of these calls: since the last judgement or look
  double native_ = 0, plan_ = 0;
};

}  // namespace quadrille::dropin
