// A schedule that was searched for: a list of what arrives where, in which round, and from whom.
#pragma once

#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Slots, mostly one, go from one rank to another; of a message with several these are listed in their order.
struct Handover {
  std::int32_t round = 0, from = 0, to = 0;
  std::int32_t slot = 0;         ///< of the sender
  std::int32_t target = -1;      ///< of the receiver; -1: the same
  Buffer source = Buffer::out;   ///< of the sender
  Buffer arrival = Buffer::out;  ///< of the receiver
  std::int32_t slots = 1;        ///< as many after it go, too
};

/// 28 bytes for each, in any order. Nobody may hand over what comes in that round or later, nor get a slot twice: a
/// proof finds out.
SchedulePtr of_handovers(const Shape& shape, const std::vector<Handover>& handovers);

}  // namespace quadrille::schedule
