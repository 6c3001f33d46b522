#include "dropin/decide/choice_trial.hpp"

#include <algorithm>

namespace quadrille::dropin {

namespace {

bool clearly_slower(const TriedChoice& tried, const TriedChoice& fastest) {
  const std::size_t n = tried.times.size(), m = fastest.times.size();
  return tried.times[n / 4] > fastest.times[m - 1 - m / 4];
}

}  // namespace

void ChoiceTrial::begin(const std::vector<std::string>& plans, bool known, bool short_calls_in_a_row) {
  tried_in_a_row_ = short_calls_in_a_row;
  choices_ = {{.name = "native"}};
  for (const std::string& plan : plans) choices_.push_back({.name = plan});
  running_ = !known;
  winner_ = known ? 1 : 0;
  next_round();
}

void ChoiceTrial::stop() {
  running_ = false;
  winner_ = 0;
}

void ChoiceTrial::next_round() {
  order_.clear();
  pending_.clear();
  for (std::size_t i = 0; i < choices_.size(); ++i)
    if (!choices_[i].out) order_.push_back(i);
}

/// With the choices that are in, and none of their times until now; a turn is so many calls.
void ChoiceTrial::start_anew(std::size_t calls) {
  calls_ = calls;
  held_ = 0;
  for (TriedChoice& tried : choices_)
    if (!tried.out) tried.times.clear();
  next_round();
}

bool ChoiceTrial::took(double seconds, double bytes) {
  bytes_ = bytes;
  pending_.push_back(seconds / bytes);
  return pending_.size() == turns * order_.size();
}

void ChoiceTrial::judge() {
  for (std::size_t i = held_ == 0 ? order_.size() : 0; i < pending_.size(); ++i)
    choices_[order_[i % order_.size()]].times.push_back(pending_[i]);
  held_ += turns;
  std::size_t fastest = order_.front();
  for (const std::size_t i : order_) {
    TriedChoice& tried = choices_[i];
    std::sort(tried.times.begin(), tried.times.end());
    tried.per_byte = tried.times[tried.times.size() / 2];
    if (tried.per_byte < choices_[fastest].per_byte) fastest = i;
  }
  const double time = choices_[fastest].per_byte * bytes_;
  if (tried_in_a_row_ && calls_ == 1 && time < short_time) {
    start_anew(time < short_call ? in_a_row : few_in_a_row);
    return;
  }
  const std::size_t patience = (tried_in_a_row_ ? calls_ > 1 : calls_ == 1 && time < short_time) ? 2 : 1;
  for (const std::size_t i : order_)
    choices_[i].out = i != fastest && held_ >= patience * turns && clearly_slower(choices_[i], choices_[fastest]);
  next_round();
  running_ = order_.size() > 1 && held_ < (calls_ > 1 || confirming_ ? 1 : patience) * most_turns;
  if (running_) return;
  const double margin = time < short_call ? must_win_short : must_win;
  winner_ = choices_[fastest].per_byte < margin * choices_[0].per_byte ? fastest : 0;
  const double best = choices_[winner_].per_byte * bytes_;
  if (winner_ == 0 || tried_in_a_row_ || confirming_ || best >= short_time) return;
  for (std::size_t i = 0; i < choices_.size(); ++i) choices_[i].out = i != 0 && i != winner_;
  running_ = true;
  confirming_ = calls_ > 1 || best >= short_call;
  start_anew(confirming_ ? 1 : in_a_row);
}

std::string ChoiceTrial::best_until_now() const {
  const TriedChoice* best = &choices_.front();
  for (const TriedChoice& tried : choices_)
    if (tried.per_byte > 0 && tried.per_byte < best->per_byte) best = &tried;
  const double margin = best->per_byte * bytes_ < short_call ? must_win_short : must_win;
  return best->per_byte < margin * choices_.front().per_byte ? best->name : std::string();
}

double ChoiceTrial::could_win() const {
  constexpr double at_least = 0.05;  // times are no better known than that
  const double native = choices_.front().per_byte;
  if (native == 0) return 1;
  double best = native;
  for (const TriedChoice& tried : choices_)
    if (tried.per_byte > 0) best = std::min(best, tried.per_byte);
  return std::max((native - best) / native, at_least);
}

}  // namespace quadrille::dropin
