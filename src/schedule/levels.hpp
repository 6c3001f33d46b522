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
  Rank first = 0;   ///< of nodes: those before it rest
  Place place;
  /// All buffers are of one vector, of which the inner schedule's blocks are consecutive parts. Else they are blocks.
  bool vector = false;
  std::vector<Bytes> bases = {0};  ///< of a vector: all that `place` names
  Bytes unit = 1;                  ///< bytes of what the inner schedule counts
  Bytes stride = 0;  ///< of a vector, where the inner schedule's blocks start so far apart; 0: next to each other
};

/// Ranks r with equal r / size are a node, or another group.
struct Grouping {
  Rank size = 1;
  bool nodes = true;  ///< they are those of Structure::per_node
};

/// One phase after the other. `shape` says the ranks, blocks and bytes of a block; cuts and rounds are the phases'.
SchedulePtr levels(const Shape& shape, Grouping groups, std::vector<Phase> phases);

/// Bytes begin .. end of what every rank carries between nodes; and what is done with them inside, before and after.
struct Piece {
  Bytes begin = 0, end = 0;
  std::vector<Phase> before, after;
};
/// When the phases after the spine may work on a piece of a node: when the spine has brought it, or, where they write
/// what it reads, when it has done with it.
enum class Follows : std::uint8_t { what_came, what_is_done };

/// A pipeline: `spine`, among slices or leaders, runs as it is. The phases before it run in every node piece by piece,
/// so late that they end when the spine first needs the piece there; those after it as soon as it has brought the
/// piece. Throws Error(illegal) where a phase waits for all ranks.
SchedulePtr pipelined_levels(const Shape& shape, Grouping groups, Phase spine, std::vector<Piece> pieces,
                             Follows follows);
/// Where a schedule of a vector cuts it, from 0 to its end, in bytes of which it counts `unit` at a time.
std::vector<Bytes> cuts_of(const SchedulePtr& schedule, Bytes unit);

}  // namespace quadrille::schedule
