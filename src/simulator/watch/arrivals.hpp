// Of the messages for each rank in each round, as far as they are known, the one that arrives last.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/huge_pages.hpp"
#include "quadrille/base.hpp"

namespace quadrille::simulator {

class Arrivals {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Last {
    Seconds time = 0;
    std::uint32_t flight = none, round = 0;
  };

  explicit Arrivals(std::size_t ranks) : places_(ranks) {}

  /// Null when none is known; valid until the next call that is not const.
  Last* find(std::uint32_t r, std::uint32_t round) {
    for (Last& last : places_[r])
      if (last.flight != none && last.round == round) return &last;
    if (more_.empty()) return nullptr;
    const auto found = more_.find(key(r, round));
    return found == more_.end() ? nullptr : &found->second;
  }
  /// The first one of its round.
  void add(std::uint32_t r, const Last& first) {
    for (Last& last : places_[r])
      if (last.flight == none) {
        last = first;
        return;
      }
    more_.emplace(key(r, first.round), first);
  }
  /// The round is over. Returns its last flight, or none.
  std::uint32_t take(std::uint32_t r, std::uint32_t round) {
    const Last* last = find(r, round);
    if (last == nullptr) return none;
    const std::uint32_t flight = last->flight;
    if (last >= places_[r].begin() && last < places_[r].end())
      places_[r][static_cast<std::size_t>(last - places_[r].begin())].flight = none;
    else
      more_.erase(key(r, round));
    return flight;
  }
  [[gnu::always_inline]] void expect(std::uint32_t r) const { __builtin_prefetch(&places_[r], 1); }
  /// The flight of the first of the rounds that are known of, which most likely is over next.
  [[gnu::always_inline]] std::uint32_t first(std::uint32_t r) const {
    const auto& [a, b] = static_cast<const std::array<Last, 2>&>(places_[r]);
    return b.flight == none || (a.flight != none && a.round < b.round) ? a.flight : b.flight;
  }

 private:
  static std::uint64_t key(std::uint32_t r, std::uint32_t round) { return std::uint64_t{r} << 32 | round; }

  /// Of most ranks messages of no more than two rounds are on their way: the present one and the next.
  struct alignas(32) Place : std::array<Last, 2> {};
  base::Table<Place> places_;
  std::unordered_map<std::uint64_t, Last> more_;
};

}  // namespace quadrille::simulator
