// Messages on their way: each has a number, which the next one gets once nobody speaks of it any more.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::simulator {

struct Flight {
  Bytes bytes;
  Seconds asked;  ///< when its sender was ready to send it
  std::uint32_t from, to, round;
  std::uint32_t way;  ///< among those of its pair [Topology::divided()]; 0: the route
};

class Flights {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // Not as one Flight: it would be written in parts and copied at once, which the processor waits for.
  std::uint32_t take(Bytes bytes, Seconds asked, std::uint32_t from, std::uint32_t to, std::uint32_t round,
                     std::uint32_t way = 0) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back();
    }
    const std::uint32_t f = free_.back();
    free_.pop_back();
    Flight& flight = all_[f];
    flight.bytes = bytes, flight.asked = asked;
    flight.from = from, flight.to = to, flight.round = round, flight.way = way;
    return f;
  }
  void give_back(std::uint32_t f) { free_.push_back(f); }

  Flight& operator[](std::uint32_t f) { return all_[f]; }
  const Flight& operator[](std::uint32_t f) const { return all_[f]; }
  [[gnu::always_inline]] void expect(std::uint32_t f) const { __builtin_prefetch(all_.data() + f, 1); }
  /// The `nth` that will be taken if none is given back before; none where that is not known.
  [[gnu::always_inline]] std::uint32_t new_one(std::size_t nth) const {
    return nth < free_.size() ? free_[free_.size() - 1 - nth] : none;
  }
  /// The `nth` that will be taken, if none is given back before.
  [[gnu::always_inline]] void expect_new(std::size_t nth) const {
    if (const std::uint32_t f = new_one(nth); f != none) expect(f);
  }

 private:
  std::vector<Flight> all_;
  std::vector<std::uint32_t> free_;
};

}  // namespace quadrille::simulator
