// Schedules of MPIs that no algorithm of ours has. Ranks are counted from the root.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::mpis {

/// Halves of the message in segments down a binary tree, the left one to the left; then ranks r and r + 1 of both sides
/// swap their halves. A last rank without a partner gets the other half from the root.
SchedulePtr split_binary(const Spec& spec, const Params& params);
/// A piece for each rank, scattered in runs down a binomial tree, then passed on round a ring.
SchedulePtr scatter_ring(const Spec& spec, const Params&);
/// Blocks to rank 0, and all of them down a binomial tree.
SchedulePtr gather_bcast(const Spec& spec, const Params&);
/// On 2^n ranks: all that a rank has to the one that differs in a bit, the lowest bit first.
SchedulePtr bit_doubling(const Spec& spec, const Params&);
/// On an even number of ranks: own blocks between two neighbours, then the last two blocks to either side by turns.
SchedulePtr neighbor_exchange(const Spec& spec, const Params&);
/// Blocks to the ranks 1, 2, ... on, `batch` of them at once; 0: all.
SchedulePtr batches(const Spec& spec, const Params& params);
/// Every two ranks swap, those whose numbers differ by xor in round t + 1; on 2^n ranks.
SchedulePtr xor_pairs(const Spec& spec, const Params&);

/// On 2^n ranks: halves of what is left of the vector, with the nearest rank first, and a binomial gather.
SchedulePtr halving_gather(const Spec& spec, const Params&);
/// Segments of all blocks one after the other round a ring, combined; then whole blocks round it.
SchedulePtr segmented_ring(const Spec& spec, const Params& params);
/// Whole vectors up a binomial tree to rank 0, which sends every rank its block.
SchedulePtr reduce_scatterv(const Spec& spec, const Params&);
/// On 2^n ranks: swaps of all blocks but those of the ranks whose contributions are combined already.
SchedulePtr doubling_scatter(const Spec& spec, const Params&);

}  // namespace quadrille::algorithm::mpis
