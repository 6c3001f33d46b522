// Reductions from schedules that distribute, run backwards: every message goes the other way, and what it brings is
// combined. [docs/how-it-works/duality.md]
#pragma once

#include "quadrille/schedule.hpp"

namespace quadrille::schedule {

/// Where a reduction leaves its results: at one rank, each block at the rank of its number, or everything everywhere.
enum class Results { at_root, own_block, everywhere };

/// The vector that a reduction is of. `offsets`: where its blocks start if they differ in length, and at last where the
/// last one ends.
struct Vector {
  Bytes element = 1;  ///< bytes that no cut divides
  std::shared_ptr<const std::vector<Bytes>> offsets = {};
  Rank turned = 0;  ///< on a hypercube: the root, from which ranks are named by xor when what comes is put in order
};

/// Of a broadcast a reduction to `root`, of an all-gather a reduction of every block to its rank, or one whose results
/// are computed in `out` at their owners. `base` counts in elements. It must be in
/// `out` alone; throws Error(illegal) otherwise. It must also bring every rank every piece once, without multicast:
/// what is made of another one combines contributions twice, and a proof refuses it.
SchedulePtr dual(SchedulePtr base, const Vector& vector, Results results, Rank root = 0);
/// Whether a rank with so many slots combines what comes in a round in the order of ranks as far as that is possible.
/// On more ranks it does in the base's order.
bool keeps_order(Rank ranks, Slot slots);
/// Whether every block is that of the rank with its label's number: only then may blocks differ in length.
bool labels_are_ranks(const Schedule& allgather);
/// The broadcast or all-gather itself, of elements, with the blocks of `vector`.
SchedulePtr of_elements(SchedulePtr base, const Vector& vector);

/// One schedule after the other; the second one's buffers are the first one's.
SchedulePtr then(SchedulePtr first, SchedulePtr second);

/// The second one begins in round `shift` of the first one, whose buffers it shares; a round may have steps of both.
/// Neither has barriers.
SchedulePtr overlapped(SchedulePtr first, SchedulePtr second, Round shift);

/// The same without slots that have no bytes, where there are any: a message of none is not sent.
SchedulePtr without_empty(SchedulePtr base);

}  // namespace quadrille::schedule
