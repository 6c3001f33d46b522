// How much the flows of a fluid network weigh where they share a link.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "quadrille/simulate.hpp"
#include "simulator/networks/maxmin.hpp"

namespace quadrille::simulator {

/// All alike, or in inverse proportion to latency: one that needs twice as long for its start-up and way gets half.
class Weights {
 public:
  /// `shortest`: the latency over one link.
  Weights(Network network, Seconds shortest)
      : most_(network == Network::fluid_latency && shortest > 0 ? finest : 1), shortest_(shortest) {}

  std::uint32_t of(Seconds latency) const {
    if (most_ == 1 || latency <= shortest_) return most_;
    return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::lround(most_ * shortest_ / latency)));
  }
  /// What a link carries, in units of rates, so that sums of weighty flows have room. A flow by itself has all of it.
  MaxMin::Rate link() const {
    const MaxMin::Rate unit = MaxMin::Rate{most_} * most_;
    return MaxMin::whole / most_ / unit * unit;
  }

 private:
  static constexpr std::uint32_t finest = 5040;  ///< ways of up to ten links have whole shares of it
  std::uint32_t most_;
  Seconds shortest_;
};

}  // namespace quadrille::simulator
