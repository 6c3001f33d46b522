// Rounds for operations of which a file says only what comes before what.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::interchange {

/// Operation `to` is in a round of at least that of `from` plus `gap`, which is 0 or 1.
struct Precedes {
  std::size_t from = 0, to = 0;
  Round gap = 1;
};

/// The earliest round of each operation; none where operations wait for each other in a circle.
std::optional<std::vector<Round>> earliest_rounds(std::size_t operations, const std::vector<Precedes>& order);

}  // namespace quadrille::interchange
