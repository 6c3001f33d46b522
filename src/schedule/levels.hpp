// A schedule of phases, in each of which smaller schedules run on groups of ranks: those of a node, or those of as many
// nodes that have one core number. Ranks of a node have consecutive numbers.
#pragma once

#include <functional>
#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

enum class Among : std::uint8_t {
  node,     ///< the ranks of every node
  slices,   ///< the ranks of every core number, one of each node
  leaders,  ///< the slice of one core number
  one_node  ///< the ranks of one node
};

/// Where a block of a smaller schedule lies: blocks label, label + stride ... of the whole one, or of a vector the
/// bytes from `base` on.
struct Lot {
  Buffer buffer = Buffer::out;
  Slot label = 0, stride = 1, count = 1;
  Bytes base = 0;
};
/// For a rank of the whole schedule and a block of the smaller one, in an order that is the same for all ranks. Of a
/// vector the label is 0; in scratch, which may be several vectors, the number of one.
using Place = std::function<void(Rank r, Buffer buffer, Slot label, std::vector<Lot>& lots)>;

struct Phase {
  SchedulePtr inner;
  Among among = Among::node;
  Rank chosen = 0;  ///< the leaders' core number, or the one node
  Place place;
  /// All buffers are of one vector, of which the inner schedule's blocks are consecutive parts. Else they are blocks.
  bool vector = false;
  std::vector<Bytes> bases = {0};  ///< of a vector: all that `place` names
  Bytes unit = 1;                  ///< bytes of what the inner schedule counts
};

/// One phase after the other. `shape` says the ranks, blocks and bytes of a block; cuts and rounds are the phases'.
SchedulePtr levels(const Shape& shape, Rank per_node, std::vector<Phase> phases);

}  // namespace quadrille::schedule
