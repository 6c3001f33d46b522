// Trees of MPIs by which messages are cut in segments, and reductions go the other way.
#pragma once

#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::mpis {

/// Children of every rank in the order in which it serves them. Ranks are counted from the root.
using Children = std::vector<std::vector<Rank>>;
using ChildrenOf = Children (*)(Rank ranks, const Params& params);

/// All ranks are the root's children.
Children star(Rank ranks, const Params&);
/// `fanout` chains of nearly equal length.
Children chains(Rank ranks, const Params& params);
/// Level by level: rank r of a level of w ranks has children r + w and r + 2w of the next.
Children binary(Rank ranks, const Params&);
/// A parent lacks the highest bit of its child, or the lowest one; or the lowest digit to the base `fanout`.
Children binomial(Rank ranks, const Params&);
Children binomial_in_order(Rank ranks, const Params&);
Children knomial(Rank ranks, const Params& params);
/// Subtrees are runs of ranks, each below the highest of them; the last rank of all is the only child of the root,
/// whose own children stay its own.
Children binary_in_order(Rank ranks, const Params&);

/// The message in segments down such a tree: a rank sends a segment to its children, one after the other, while the
/// next one comes.
SchedulePtr down(const Spec& spec, const Params& params, ChildrenOf children);
template <ChildrenOf children>
SchedulePtr down_tree(const Spec& spec, const Params& params) {
  return down(spec, params, children);
}
/// How many segments of the parameter's size; at most one for each byte.
std::int64_t segments_of(const Params& params, Bytes bytes);

/// A schedule that distributes, of elements in the place of bytes, run backwards: a reduction to the root or of every
/// rank's block; for an all-reduce then forwards.
using Distributes = SchedulePtr (*)(const Spec& elements, const Params& params);
SchedulePtr reduced(const Spec& spec, const Params& params, Collective forwards, Distributes distributes);

}  // namespace quadrille::algorithm::mpis
