#include "dropin/decide/exchange_trial.hpp"

#include <algorithm>

#include "dropin/decide/choice_trial.hpp"

namespace quadrille::dropin {

bool ExchangeTrial::took(double native, double plan, double bytes) {
  if (held_++ == 0) return false;
  pending_.push_back(native);
  pending_.push_back(plan);
  count(bytes);
  if (pending_.size() < 2 * turns) return false;
  pending_.push_back(mean());
  return true;
}

void ExchangeTrial::judge() {
  size_ = pending_.back();
  pending_.pop_back();
  all_.insert(all_.end(), pending_.begin(), pending_.end());
  pending_.clear();
  double native = 0, plan = 0;
  for (std::size_t i = 0; i < all_.size(); i += 2) {
    native += all_[i];
    plan += all_[i + 1];
  }
  const auto plan_wins = [](double n, double p) { return p < ChoiceTrial::must_win * n; };
  const bool wins = plan_wins(native, plan);
  bool clear = true;
  for (std::size_t i = 0; i < all_.size(); i += 2)
    clear = clear && plan_wins(native - all_[i], plan - all_[i + 1]) == wins;
  const auto calls = static_cast<double>(all_.size() / 2);
  native_ = native / calls;
  plan_ = plan / calls;
  if (calls_each_way_ == 1 && std::min(native_, plan_) < ChoiceTrial::short_call) {
    calls_each_way_ = ChoiceTrial::in_a_row;
    all_.clear();
    calls_ = 0;
    bytes_ = 0;
    return;
  }
  running_ = !clear && all_.size() < 2 * most_turns;
  if (running_) return;
  pause_ = held_before_ && wins == plan_wins_ ? 2 * pause_ : shortest_pause;
  held_before_ = true;
  plan_wins_ = wins;
  calls_ = 0;
  bytes_ = 0;
}

bool ExchangeTrial::pause_ends(double bytes) {
  if (known_) return false;
  count(bytes);
  return calls_ >= pause_;
}

void ExchangeTrial::look(double mean) {
  running_ = mean != size_ && (mean >= 2 * size_ || 2 * mean <= size_);
  if (!running_ && pause_ < longest_between_looks) pause_ *= 2;
  calls_ = 0;
  bytes_ = 0;
  held_ = 0;
  calls_each_way_ = 1;
  all_.clear();
}

}  // namespace quadrille::dropin
