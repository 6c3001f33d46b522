#include "dropin/decide/contest.hpp"

#include <algorithm>

namespace quadrille::dropin {

namespace {

bool clearly_slower(const Way& way, const Way& fastest) {
  const std::size_t n = way.times.size(), m = fastest.times.size();
  return way.times[n / 4] > fastest.times[m - 1 - m / 4];
}

}  // namespace

void Contest::begin(const std::vector<std::string>& plans, bool known, bool exchange) {
  exchange_ = exchange;
  ways_ = {{.choice = "native"}};
  for (const std::string& plan : plans) ways_.push_back({.choice = plan});
  running_ = !known;
  winner_ = known ? 1 : 0;
  next_round();
}

void Contest::stop() {
  running_ = false;
  winner_ = 0;
}

void Contest::next_round() {
  order_.clear();
  pending_.clear();
  for (std::size_t i = 0; i < ways_.size(); ++i)
    if (!ways_[i].out) order_.push_back(i);
}

/// With the ways that are in, and none of their times until now; a turn is so many calls.
void Contest::start_anew(std::size_t calls) {
  calls_ = calls;
  held_ = 0;
  for (Way& way : ways_)
    if (!way.out) way.times.clear();
  next_round();
}

bool Contest::took(double seconds, double bytes) {
  bytes_ = bytes;
  pending_.push_back(seconds / bytes);
  return pending_.size() == turns * order_.size();
}

void Contest::judge() {
  for (std::size_t i = held_ == 0 ? order_.size() : 0; i < pending_.size(); ++i)
    ways_[order_[i % order_.size()]].times.push_back(pending_[i]);
  held_ += turns;
  std::size_t fastest = order_.front();
  for (const std::size_t i : order_) {
    Way& way = ways_[i];
    std::sort(way.times.begin(), way.times.end());
    way.per_byte = way.times[way.times.size() / 2];
    if (way.per_byte < ways_[fastest].per_byte) fastest = i;
  }
  const double time = ways_[fastest].per_byte * bytes_;
  if (exchange_ && calls_ == 1 && time < short_time) {
    start_anew(time < short_call ? in_a_row : few_in_a_row);
    return;
  }
  const std::size_t patience = (exchange_ ? calls_ > 1 : calls_ == 1 && time < short_time) ? 2 : 1;
  for (const std::size_t i : order_)
    ways_[i].out = i != fastest && held_ >= patience * turns && clearly_slower(ways_[i], ways_[fastest]);
  next_round();
  running_ = order_.size() > 1 && held_ < (calls_ > 1 || confirming_ ? 1 : patience) * most_turns;
  if (running_) return;
  const double margin = time < short_call ? must_win_short : must_win;
  winner_ = ways_[fastest].per_byte < margin * ways_[0].per_byte ? fastest : 0;
  const double best = ways_[winner_].per_byte * bytes_;
  if (winner_ == 0 || exchange_ || confirming_ || best >= short_time) return;
  for (std::size_t i = 0; i < ways_.size(); ++i) ways_[i].out = i != 0 && i != winner_;
  running_ = true;
  confirming_ = calls_ > 1 || best >= short_call;
  start_anew(confirming_ ? 1 : in_a_row);
}

double Contest::could_win() const {
  constexpr double at_least = 0.05;  // times are no better known than that
  const double native = ways_.front().per_byte;
  if (native == 0) return 1;
  double best = native;
  for (const Way& way : ways_)
    if (way.per_byte > 0) best = std::min(best, way.per_byte);
  return std::max((native - best) / native, at_least);
}

}  // namespace quadrille::dropin
