// Messages on their way: each has a number, which the next one gets once nobody speaks of it any more.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille {

struct Flight {
  Bytes bytes;
  Seconds asked;  ///< when its sender was ready to send it
  std::uint32_t from, to, round;
  std::uint32_t link;  ///< the last one it entered, or the next one, as the network likes
};

class Flights {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t take(const Flight& flight) {
    if (free_.empty()) {
      all_.push_back(flight);
      return static_cast<std::uint32_t>(all_.size() - 1);
    }
    const std::uint32_t f = free_.back();
    free_.pop_back();
    all_[f] = flight;
    return f;
  }
  void give_back(std::uint32_t f) { free_.push_back(f); }

  Flight& operator[](std::uint32_t f) { return all_[f]; }
  bool known(std::uint32_t f) const { return f < all_.size(); }
  [[gnu::always_inline]] void expect(std::uint32_t f) const { __builtin_prefetch(all_.data() + f, 1); }

 private:
  std::vector<Flight> all_;
  std::vector<std::uint32_t> free_;
};

}  // namespace quadrille
