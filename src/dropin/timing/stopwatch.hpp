// The time of calls that MPI answers. It may take a fifth of a microsecond to do so, and two readings of the
// processor's counter take a tenth of that. So where calls follow each other closely, only some are timed.
#pragma once

#include "dropin/timing/ticks.hpp"

namespace quadrille::dropin {

/// How long all calls of a kind took. `window` calls are timed each. Where they, and what the program did between them,
/// took less than `closely` a call, one in about `usual_gap` is timed from then on, and stands for those since the last
/// one that was. When calls no longer follow each other so closely, the next `window` are timed each again: it costs
/// little then, and tells which of them waited for a late rank. How many calls go untimed differs from time to time, as
/// programs repeat themselves: so no call is timed more often than its like.
///
/// Nothing that ranks decide may rest on it: others time other calls.
class Stopwatch {
 public:
  static constexpr int window = 64, usual_gap = 64;
  /// Timing takes half a percent of it.
  static constexpr Seconds closely = 4e-6;

  /// Once for each call, before it: whether it is to be timed.
  bool due() { return --left_ <= 0; }
  /// What a call that was due took; `close` is `closely` in ticks.
  void took(Ticks begin, Ticks end, Ticks close);

  std::int64_t calls() const { return counted_ + gap_ - left_; }
  std::int64_t timed() const { return timed_; }
  /// The time of all calls, of which they cannot have taken more than has passed until `now`.
  Ticks all(Ticks now) const;

 private:
  int next_gap();

  int left_ = 1;  ///< calls until one is due
  int gap_ = 1;   ///< how many the next one stands for
  int window_left_ = window;
  std::uint32_t random_ = 1;
  std::int64_t timed_ = 0, counted_ = 0;  ///< calls that were timed, and that these stand for
  Ticks sum_ = 0;                         ///< of the latter
  Ticks first_ = 0, window_begin_ = 0, last_end_ = 0;
};

}  // namespace quadrille::dropin
