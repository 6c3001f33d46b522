// Where ranks are in a simulation, each by itself, and what is on its way to them before they are there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/timeline.hpp"

namespace quadrille::simulator {

/// A rank is in `round` until it is known when its messages have left, and when those for it are there: `waiting`
/// counts both. Then it goes on at `until`. `waiting` is 0 also when it has not begun the round.
struct alignas(32) Place {
  Seconds until = 0;        ///< all messages known so far have left, or arrived
  Seconds early_until = 0;  ///< those have arrived that are known before their round
  std::uint32_t round = 0, waiting = 0;
  std::uint32_t early_round = 0;  ///< of the messages known before their round
  std::uint16_t early = 0;        ///< so many; there may be more, see Places
  bool copied = false;
  Stay::Why why = Stay::Why::skew;  ///< it sleeps, when it does

  void next() { ++round, copied = false; }
  bool waits_for(std::uint32_t r) const { return round == r && waiting > 0; }
  /// One more of those that it waits for is known; true when it was the last one.
  bool knows(Seconds time) {
    until = std::max(until, time);
    return --waiting == 0;
  }
};
static_assert(sizeof(Place) == 32, "a million of them are looked at in any order: two are a line of the cache");

class Places {
 public:
  void resize(Rank ranks) { places_.resize(static_cast<std::size_t>(ranks)); }
  std::size_t size() const { return places_.size(); }
  Place& operator[](std::uint32_t r) { return places_[r]; }
  const Place& operator[](std::uint32_t r) const { return places_[r]; }
  [[gnu::always_inline]] void expect(std::uint32_t r) const { __builtin_prefetch(places_.data() + r, 1); }

  /// A message for a round that the rank has not begun arrives at `time`.
  void comes_early(std::uint32_t r, std::uint32_t round, Seconds time) {
    constexpr std::uint16_t most = 0xffff;
    Place& p = places_[r];
    if (p.early > 0 && (p.early_round != round || p.early == most)) {
      More& more = more_early_[key(r, round)];
      ++more.count;
      more.until = std::max(more.until, time);
      return;
    }
    p.early_until = p.early == 0 ? time : std::max(p.early_until, time);
    p.early_round = round;
    ++p.early;
  }
  /// How many messages for the round that the rank begins are known; they are forgotten, but for when they arrive.
  std::uint32_t came_early(std::uint32_t r) {
    Place& p = places_[r];
    std::uint32_t count = 0;
    if (p.early > 0 && p.early_round == p.round) {
      count = p.early, p.early = 0;
      p.until = std::max(p.until, p.early_until);
    }
    if (more_early_.empty()) return count;
    const auto found = more_early_.find(key(r, p.round));
    if (found == more_early_.end()) return count;
    count += found->second.count;
    p.until = std::max(p.until, found->second.until);
    more_early_.erase(found);
    return count;
  }

 private:
  struct More {
    std::uint32_t count = 0;
    Seconds until = 0;
  };
  static std::uint64_t key(std::uint32_t r, std::uint32_t round) { return std::uint64_t{r} << 32 | round; }
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, More> more_early_;
};

}  // namespace quadrille::simulator
