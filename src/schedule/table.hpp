// A schedule that is a list: what a file says, in the place of a function.
#pragma once

#include <optional>
#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// What one rank does in one round.
struct Entry {
  Round round = 0;
  std::vector<Transfer> transfers;
};

/// Which block of the collective each slot of a buffer means, by slot; empty: the slot's label itself.
using BlockNames = std::vector<Slot>;

/// All that a schedule says, rank by rank.
struct Table {
  Shape shape;
  std::vector<std::vector<Entry>> ranks;  ///< by rank, each by increasing round
  std::vector<Round> barriers = {};       ///< increasing
  BlockNames in = {}, out = {};
};

/// Sorts entries and barriers. Throws Error(format) for a rank that has two entries of one round, for a rank, round,
/// peer or slot that does not exist, and for lists of blocks of another length than the buffer's.
Table checked(Table table);

/// The schedule of a checked table. It claims no symmetry, so that proofs and prices look at every rank.
SchedulePtr of_table(Table table);

/// The table of a schedule: of each rank what step() lists. Throws Error(budget) beyond `most` transfers.
Table table_of(const Schedule& schedule, std::int64_t most);

/// Where the blocks of a buffer are not its labels: their names by slot.
BlockNames block_names(const Schedule& schedule, Buffer buffer);

}  // namespace quadrille::schedule
