// A plan in use against MPI's own calls. A trial may be won by chance, and a machine may become busy after it, so what
// calls take is looked at as long as the plan is used. Nothing here knows MPI: how ranks agree on the times is the
// caller's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quadrille::dropin {

/// Calls come in stages. After each stage all ranks agree on its longest mean time and judge() it. A stage of the plan
/// that is slow, and now and then one that is not, is followed by a stage of MPI's own calls. Where the plan took
/// clearly longer than these it gets one more stage, as anything may have disturbed the first. Where it takes clearly
/// longer again it is lost, for good.
///
/// Stages have a fixed number of calls, so that all ranks end them in the same call. Nobody agrees within one.
class PlanWatch {
 public:
  static constexpr std::int64_t shortest = 16, longest = 256;
  /// A stage of MPI's calls, and the plan's after it, end after so many seconds, but not before `fewest` calls: MPI may
  /// take many times as long as the plan, and long calls vary little.
  static constexpr double enough = 0.05;
  static constexpr std::int64_t fewest = 2;
  /// Calls of the plan between two comparisons that nothing has asked for: after the first so many times longer, up to
  /// the last.
  static constexpr std::int64_t longer = 8, longest_between = 8192;
  /// A plan that takes longer than this part of MPI's time is lost.
  static constexpr double clearly = 1.1;
  /// A plan that takes longer than so many times its time in the trial is compared again.
  static constexpr double slow = 2;

  PlanWatch() = default;
  /// Of a trial, for each byte: how long MPI and the plan took. 0: not known.
  PlanWatch(double native, double plan) : native_(native), plan_(plan) {}

  /// Whether the next call is answered by MPI.
  bool native_turn() const { return phase_ == Phase::native; }
  /// What a call took on this rank, in seconds, and its bytes. True when the stage is over.
  bool took(double seconds, double bytes) {
    seconds_ += seconds;
    bytes_ += bytes;
    return ++calls_ == stage_;
  }
  /// Seconds of each byte of the stage on this rank.
  double mean() const { return seconds_ / bytes_; }
  /// Ends the stage; `mean` is the longest of all ranks'.
  void judge(double mean);
  bool lost() const { return phase_ == Phase::lost; }

  double native() const { return native_; }  ///< of a byte, when both were compared last
  double plan() const { return plan_; }

 private:
  enum class Phase { watched, native, again, lost };
  void judge_watched(double mean, double bytes);
  void keep(double plan);

  Phase phase_ = Phase::watched;
  double native_ = 0, plan_ = 0;      ///< what both are known to take
  double suspected_ = 0;              ///< what the plan took before MPI's stage
  std::int64_t compared_ = shortest;  ///< calls of MPI's stage, and of the plan's after it
  std::int64_t stage_ = shortest;     ///< calls of this one
  std::int64_t watched_ = shortest;   ///< calls of the next one of the plan
  std::int64_t since_ = 0;            ///< the last comparison, calls of the plan
  std::int64_t due_ = shortest;       ///< when the next is, by these
  std::int64_t calls_ = 0;            ///< of this stage so far
  double seconds_ = 0, bytes_ = 0;
};

}  // namespace quadrille::dropin
