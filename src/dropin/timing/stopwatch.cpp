#include "dropin/timing/stopwatch.hpp"

#include <algorithm>

namespace quadrille::dropin {

void Stopwatch::took(Ticks begin, Ticks end, Ticks close) {
  if (timed_++ == 0) first_ = begin;
  counted_ += gap_;
  sum_ += gap_ * (end - begin);
  if (window_left_ > 0) {
    if (window_left_ == window) window_begin_ = begin;
    if (--window_left_ == 0 && end - window_begin_ > window * close) window_left_ = window;
  } else if (end - last_end_ > gap_ * close) {
    window_left_ = window;
  }
  last_end_ = end;
  gap_ = left_ = window_left_ > 0 ? 1 : next_gap();
}

/// From a half of the usual one to one and a half; by Marsaglia's xorshift.
int Stopwatch::next_gap() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  return usual_gap / 2 + 1 + static_cast<int>(random_ >> 8) % usual_gap;
}

Ticks Stopwatch::all(Ticks now) const {
  if (timed_ == 0 || timed_ == calls()) return sum_;
  const double scale = static_cast<double>(calls()) / static_cast<double>(counted_);
  return std::min(static_cast<Ticks>(static_cast<double>(sum_) * scale), now - first_);
}

}  // namespace quadrille::dropin
