// Blocks whose parts have ways of their own, from rank to rank or down trees, in pieces that follow each other: in each
// round every piece goes one message further. All rounds but the first and the last few are alike.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// So many parts of what one rank has for another, and the ranks that they come to.
struct PartsWay {
  std::int32_t first = 0, parts = 1;  ///< of the block's parts
  std::vector<std::int32_t> ranks;    ///< two or more: from the sender to the receiver
  Slot leaves = 0, arrives = 0;       ///< label of the block in `in` and in `out`
};
/// So many parts of a block, and the tree that they go down: the parent of every rank, -1 of the root.
struct PartsTree {
  std::int32_t first = 0, parts = 1;
  Slot label = 0;
  std::vector<std::int32_t> parent;
};
/// Blocks of `shape` are cut in so many parts, each in so many pieces; it has `in`, `out` and the bytes of a block. In
/// between ranks keep what comes in `tmp`.
SchedulePtr pipelined_ways(Shape shape, std::int32_t parts, std::int32_t pieces, const std::vector<PartsWay>& ways);
enum class PieceOrder : std::uint8_t { first_to_last, last_to_first };
/// All is in `out`; `shape` says how many blocks that has, how long these are, or where they start. `order`: in which
/// pieces leave the roots.
SchedulePtr pipelined_trees(Shape shape, std::int32_t parts, std::int32_t pieces, const std::vector<PartsTree>& trees,
                            PieceOrder order = PieceOrder::first_to_last);

}  // namespace quadrille::schedule
