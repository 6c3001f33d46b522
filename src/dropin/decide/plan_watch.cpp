#include "dropin/decide/plan_watch.hpp"

#include <algorithm>

namespace quadrille::dropin {

void PlanWatch::judge(double mean) {
  const Phase ended = phase_;
  calls_ = 0;
  seconds_ = bytes_ = 0;
  stage_ = shortest;
  if (ended == Phase::watched) return judge_watched(mean);
  if (ended == Phase::native) native_ = mean;
  const double plan = ended == Phase::native ? suspected_ : mean;
  if (plan <= clearly * native_) return keep(plan);
  plan_ = plan;
  phase_ = ended == Phase::native ? Phase::again : Phase::lost;
}

void PlanWatch::judge_watched(double mean) {
  since_ += watched_;
  const bool is_slow = (native_ > 0 && mean > native_) || (plan_ > 0 && mean > slow * plan_);
  const bool is_due = since_ >= due_;
  watched_ = std::min(2 * watched_, longest);
  stage_ = watched_;
  if (!is_slow && !is_due) return;
  if (is_due) due_ = std::min(longer * due_, longest_between);
  suspected_ = mean;
  stage_ = shortest;
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
