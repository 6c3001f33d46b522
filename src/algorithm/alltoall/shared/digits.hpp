// Exchange by the digits of the offset, of which a digit v moves a block by v * r^j for position j in radix r. Digits
// are 0 .. r-1, or in an odd radix -(r-1)/2 .. (r-1)/2. One message per position and value other than 0.
#pragma once

#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::alltoall {

struct Digits {
  Rank ranks;
  std::int64_t radix;
  std::int64_t below = 0;  ///< values of a digit less than 0; else as many as above it

  /// r^j for every position j.
  std::vector<std::int64_t> weights() const;
  /// Offsets are written with `below` added to every digit, so that none is negative: 0 becomes origin(), and all
  /// are first() .. last().
  Slot origin() const;
  Slot first() const { return origin() - (below > 0 ? (ranks - 1) / 2 : 0); }
  Slot last() const { return first() + ranks - 1; }
  /// Values other than 0 that occur at the position of this weight: 1, 2, ... or 1, -1, 2, -2, ...
  std::int64_t values(std::int64_t weight) const;
  std::int64_t value(std::int64_t i) const { return below == 0 ? i + 1 : i % 2 == 0 ? i / 2 + 1 : -(i / 2 + 1); }
  /// Blocks whose digit there has this value.
  Slot blocks(std::int64_t weight, std::int64_t value) const;
  /// Those of them that are at their place then.
  Slot arrivals(std::int64_t weight, std::int64_t value) const;
};

/// So many messages of one position in a round: one; two, of v and -v, where ranks use two ports at once; or more.
SchedulePtr digit_schedule(const Digits& digits, Bytes bytes, std::int64_t at_once = 1);

}  // namespace quadrille::algorithm::alltoall
