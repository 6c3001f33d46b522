// A part of the message down each of several trees that share no directed link, on half-duplex wires: the two
// directions of a wire take turns, so ranks of either colour send in every other round.
#pragma once

#include "algorithm/kit/shares.hpp"

namespace quadrille::algorithm::bcast {

/// Counts for equal parts in `packets` packets each, `depths` the trees' with the shallowest first, where the rounds of
/// forest_schedule() are split by the colour of the sender. A packet leaves ranks of one colour per level, so a round
/// splits in two wherever two packets are on their way; each half costs the earliest packet of its colour.
Cost split_forest_cost(const kit::Lengths& depths, Bytes bytes, std::int64_t packets);
/// The packet count in 1 .. bytes / trees, rounded up, of least such cost, the smallest of them.
std::int64_t best_split_forest_packets(const kit::Lengths& depths, Bytes bytes, Seconds startup, double per_byte,
                                       const pattern::Further& further = {});

}  // namespace quadrille::algorithm::bcast
