// All-gathers that are there to be run backwards: reductions of every block to its rank, and all-reduces of both.
#pragma once

#include "algorithm/kit/description.hpp"

namespace quadrille::algorithm::reduce_scatter {

/// Distances of the circulant algorithm: the number of ranks, then always the half of the last one, rounded up, to 1.
std::vector<Rank> circulant_skips(Rank ranks);
/// Every message goes as far as the next distance; as many rounds as any number of ranks needs.
Algorithm circulant_base();
/// Every rank's block goes straight to one other rank in each round.
Algorithm pairwise_base();
/// Pairs of ranks that differ in one bit swap all that they hold, the lowest bit or the highest one first.
Algorithm halves_base();
/// Its dual; in the order of ranks with the lowest bit first, which is all that operators without exchange allow.
Algorithm by_halves(Collective collective, const kit::Description& description);
/// Every part of the ranks is halved, and what one half has goes to the other. The dual is in the order of ranks and
/// groups as the canonical expression does, for any number of ranks.
Algorithm splits_base();
bool splits_in_order(const Spec& spec, const Machine& machine, const Params& params);
/// Groups of ranks that differ in one digit exchange all that they hold, digit after digit.
Algorithm radix_base();
/// The same where digits have radices of their own, that of the lowest one first.
SchedulePtr digits_schedule(std::vector<Rank> radices, Bytes bytes);

}  // namespace quadrille::algorithm::reduce_scatter
