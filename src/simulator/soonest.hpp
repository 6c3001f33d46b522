// When each of many things is due, where most are put off or brought forward again and again before they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::simulator {

/// Times of numbered things, and the least of every 64 of them, of every 64 of these and so on, found anew only where
/// something changed: to set a time costs next to nothing, however many there are.
class Soonest {
 public:
  bool empty() { return time() == never; }
  Seconds time() {
    refresh();
    return levels_.empty() ? never : levels_.back().times.front();
  }
  /// Calls visit(who, time) for all until then, in the order of their numbers.
  template <class Visit>
  void each_until(Seconds then, Visit visit) {
    if (time() <= then) go_through(levels_.size() - 1, 0, then, visit);
  }
  void set(std::uint32_t who, Seconds time) {
    if (levels_.empty() || who >= levels_[0].times.size()) grow(who + std::size_t{1});
    levels_[0].times[who] = time;
    for (std::size_t l = 0, at = who; l + 1 < levels_.size() && !levels_[l + 1].stale[at /= fan]; ++l)
      levels_[l + 1].stale[at] = true;
  }
  void erase(std::uint32_t who) {
    if (!levels_.empty() && who < levels_[0].times.size()) set(who, never);
  }

 private:
  static constexpr std::size_t fan = 64;
  static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();
  struct Row {
    std::vector<Seconds> times;
    std::vector<std::uint8_t> stale;
  };

  void grow(std::size_t count) {
    count = std::max(count, levels_.empty() ? fan : 2 * levels_[0].times.size());
    for (std::size_t l = 0;; ++l) {
      const bool last = count == 1;
      count = last ? 1 : (count + fan - 1) / fan * fan;  // whole groups
      if (l == levels_.size()) levels_.emplace_back();
      levels_[l].times.resize(count, never);
      levels_[l].stale.assign(count, 1);
      if (last) return;
      count /= fan;
    }
  }
  void refresh() {
    if (!levels_.empty() && levels_.back().stale[0] != 0) refresh(levels_.size() - 1, 0);
  }
  void refresh(std::size_t level, std::size_t at) {
    Row& row = levels_[level];
    row.stale[at] = 0;
    if (level == 0) return;
    Row& below = levels_[level - 1];
    const std::size_t count = below.times.size(), first = std::min(fan * at, count), end = std::min(first + fan, count);
    for (std::size_t i = first; level > 1 && i < end; ++i)
      if (below.stale[i] != 0) refresh(level - 1, i);
    row.times[at] = least(below.times.data() + first, end - first);
  }
  /// Four at a time, none of which waits for another.
  static Seconds least(const Seconds* times, std::size_t count) {
    std::array<Seconds, 4> some{never, never, never, never};
    std::size_t i = 0;
    for (; i + some.size() <= count; i += some.size())
      for (std::size_t k = 0; k < some.size(); ++k) some[k] = std::min(some[k], times[i + k]);
    for (; i < count; ++i) some[0] = std::min(some[0], times[i]);
    return std::min(std::min(some[0], some[1]), std::min(some[2], some[3]));
  }

  template <class Visit>
  void go_through(std::size_t level, std::size_t at, Seconds then, Visit& visit) const {
    if (levels_[level].times[at] > then) return;
    if (level == 0) return visit(static_cast<std::uint32_t>(at), levels_[0].times[at]);
    const std::size_t end = std::min(fan * (at + 1), levels_[level - 1].times.size());
    for (std::size_t i = fan * at; i < end; ++i) go_through(level - 1, i, then, visit);
  }

  std::vector<Row> levels_;  ///< of the things themselves, of groups, ..., of all
};

}  // namespace quadrille::simulator
