// What the order eager keeps of ranks, channels and sends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "quadrille/base.hpp"

namespace quadrille::simulator {

struct EagerParts {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Where a rank is in its part of the script.
  struct Act {
    std::size_t bundle = 0;     ///< to be offered next, once its bytes are final
    std::uint32_t step = 0;     ///< in hand
    std::uint32_t settled = 0;  ///< of the sends that are reused, those up to this one are known to have left
    std::uint32_t last = none;  ///< the flight of those that leaves last
    Seconds settled_at = 0;     ///< then
    bool settles = false;       ///< the step waits for some that are not known to have left
    bool ends = false;          ///< all that the step waits for has come; only its copies are left
  };
  struct Channel {
    Seconds free = 0;                         ///< all that it took has left, as far as is known
    std::uint32_t leaving = 0;                ///< members of a bundle that are not known to have left
    std::uint32_t first = none, last = none;  ///< bundles that wait
  };
  /// Of a flight.
  struct Sent {
    std::uint32_t channel = 0, reused = none;
  };
  /// Of a send that its rank waits for before it writes where it read.
  struct Reused {
    Seconds left = -1;  ///< -1: not known
    std::uint32_t flight = none;
  };
};

}  // namespace quadrille::simulator
