#include "dropin/decide/plan_watch.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille::dropin {
namespace {

/// Calls of so many seconds that a stage of a comparison has.
std::int64_t enough_calls(double seconds) {
  const double calls = seconds > 0 ? std::ceil(PlanWatch::enough / seconds) : PlanWatch::shortest;
  return static_cast<std::int64_t>(
      std::clamp<double>(calls, static_cast<double>(PlanWatch::fewest), static_cast<double>(PlanWatch::shortest)));
}

}  // namespace

void PlanWatch::judge(double mean) {
  const Phase ended = phase_;
  const double bytes = bytes_ / static_cast<double>(calls_);
  calls_ = 0;
  seconds_ = bytes_ = 0;
  stage_ = compared_;
  if (ended == Phase::watched) return judge_watched(mean, bytes);
  if (ended == Phase::native) native_ = mean;
  const double plan = ended == Phase::native ? suspected_ : mean;
  if (plan <= clearly * native_) return keep(plan);
  plan_ = plan;
  phase_ = ended == Phase::native ? Phase::again : Phase::lost;
}

/// `bytes` of a call: equal on all ranks, so all give MPI's stage the same length.
void PlanWatch::judge_watched(double mean, double bytes) {
  since_ += watched_;
  const bool is_slow = (native_ > 0 && mean > native_) || (plan_ > 0 && mean > slow * plan_);
  const bool is_due = since_ >= due_;
  watched_ = std::min(2 * watched_, longest);
  stage_ = watched_;
  if (!is_slow && !is_due) return;
  if (is_due) due_ = std::min(longer * due_, longest_between);
  suspected_ = mean;
  compared_ = enough_calls(bytes * std::max(mean, native_));
  stage_ = compared_;
  phase_ = Phase::native;
}

/// Goes on with the plan, by what it takes now.
void PlanWatch::keep(double plan) {
  plan_ = plan;
  since_ = 0;
  stage_ = watched_;
  phase_ = Phase::watched;
}

}  // namespace quadrille::dropin
