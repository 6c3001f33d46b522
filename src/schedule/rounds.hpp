// A schedule that was searched for: a list of what arrives where, in which round, and from whom.
#pragma once

#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// A slot of `out` goes from one rank to the same slot of another.
struct Handover {
  std::int32_t round = 0, from = 0, to = 0;
  std::int32_t slot = 0;
};

/// 16 bytes for each, in any order. Nobody may hand over what comes in that round or later, nor get a slot twice: a
/// proof finds out.
SchedulePtr of_handovers(const Shape& shape, const std::vector<Handover>& handovers);

}  // namespace quadrille::schedule
