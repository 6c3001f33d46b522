// Connections: what a rank sends to another on one way follows one another.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "base/hash.hpp"
#include "simulator/flight.hpp"

namespace quadrille::simulator {

class Connections {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Whether the message may flow now; else next() of one before it gives it.
  bool free_for(std::uint32_t f, const Flight& m) {
    const auto [waiting, fresh] = waiting_.try_emplace(pair_of(m));
    if (!fresh) waiting->second.push_back(f);
    return fresh;
  }
  /// What flows after this message has come; none: nothing waits.
  std::uint32_t next(const Flight& m) {
    const auto found = waiting_.find(pair_of(m));
    if (found->second.empty()) {
      waiting_.erase(found);
      return none;
    }
    const std::uint32_t f = found->second.front();
    found->second.pop_front();
    return f;
  }

 private:
  struct Pair {
    std::uint64_t ranks;
    std::uint32_t way;
    bool operator==(const Pair&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Pair& p) const { return base::mixed(p.ranks) + p.way; }
  };
  static Pair pair_of(const Flight& m) { return {std::uint64_t{m.from} << 32 | m.to, m.way}; }

  std::unordered_map<Pair, std::deque<std::uint32_t>, Hash> waiting_;  ///< where one flows
};

}  // namespace quadrille::simulator
