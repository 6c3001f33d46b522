// Where ranks are in a simulation, each by itself, and what came for them before they were there.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quadrille/timeline.hpp"

namespace quadrille {

/// A rank is in `round` until it knows when its messages have left, and those for it are there: `waiting` counts both.
/// Then it goes on at `sent`, or at once. 0 also when it has not begun the round.
struct Place {
  std::uint32_t round = 0, waiting = 0;
  Seconds sent = 0;               ///< all messages known so far have left
  std::uint32_t early_round = 0;  ///< messages that came before their round: of that one
  std::uint16_t early = 0;        ///< so many; there may be more, see Places
  bool copied = false;
  Stay::Why why = Stay::Why::skew;  ///< it sleeps, when it does

  void next() { ++round, copied = false; }
};
static_assert(sizeof(Place) == 24, "a million of them are looked at in any order: the cache should hold many");

class Places {
 public:
  void resize(Rank ranks) { places_.resize(static_cast<std::size_t>(ranks)); }
  Place& operator[](std::uint32_t r) { return places_[r]; }
  const Place& operator[](std::uint32_t r) const { return places_[r]; }

  void comes_early(std::uint32_t r, std::uint32_t round) {
    constexpr std::uint16_t most = 0xffff;
    Place& p = places_[r];
    if (p.early == 0 || (p.early_round == round && p.early < most))
      p.early_round = round, ++p.early;
    else
      ++more_early_[key(r, round)];
  }
  /// How many messages for the round that the rank begins have come; they are forgotten.
  std::uint32_t came_early(std::uint32_t r) {
    Place& p = places_[r];
    std::uint32_t count = 0;
    if (p.early > 0 && p.early_round == p.round) count = p.early, p.early = 0;
    if (more_early_.empty()) return count;
    const auto found = more_early_.find(key(r, p.round));
    if (found == more_early_.end()) return count;
    count += found->second;
    more_early_.erase(found);
    return count;
  }

 private:
  static std::uint64_t key(std::uint32_t r, std::uint32_t round) { return std::uint64_t{r} << 32 | round; }
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, std::uint32_t> more_early_;
};

}  // namespace quadrille
