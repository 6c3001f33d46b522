// Sums of all on nodes with several ranks: where sums of nodes and results lie, and the form with one rank a node.
#pragma once

#include "algorithm/kit/levels.hpp"

namespace quadrille::algorithm::allreduce {

/// Sums of nodes are in scratch, where the level inside has its own, too.
inline void in_scratch(Rank, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
  lots.push_back({.buffer = b == Buffer::in ? b : Buffer::tmp, .label = b == Buffer::tmp ? label : 0});
}
inline void in_results(Rank, Buffer, Slot, std::vector<schedule::Lot>& lots) { lots.push_back({}); }

/// From the sums of nodes, which ranks still send while they receive, to results; each core from its part on. Scratch
/// comes behind the sums.
inline schedule::Place from_sums(Rank cores, Bytes share) {
  return [=](Rank r, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
    const Bytes base = r % cores * share;
    if (b == Buffer::out)
      lots.push_back({.base = base});
    else
      lots.push_back({.buffer = Buffer::tmp, .label = b == Buffer::in ? 0 : 1 + label, .base = base});
  };
}

inline Slot scratch_on_nodes(const kit::Schedules& inner) {
  return std::max(kit::vectors_of_scratch(*inner[0]), 1 + kit::vectors_of_scratch(*inner[1]));
}

/// Every node's leader has the node's sum, learns all, and tells its node. `between` leaders: an allreduce or a
/// barrier.
inline kit::Form by_leaders(const Spec& spec, const kit::OnNodes& on, Collective between) {
  using schedule::Among;
  const std::vector<kit::Level> levels{kit::of_vector("before", kit::Tier::inside, Collective::reduce, spec, on),
                                       kit::of_vector("outer", kit::Tier::between, between, spec, on),
                                       kit::of_vector("inner", kit::Tier::inside, Collective::bcast, spec, on)};
  const auto phases = [=](const kit::Schedules& inner) -> std::vector<schedule::Phase> {
    return {kit::vector_phase(spec, levels[0], inner[0], Among::node, 0, in_scratch),
            kit::vector_phase(spec, levels[1], inner[1], Among::leaders, on.root_core, from_sums(on.cores, 0)),
            kit::vector_phase(spec, levels[2], inner[2], Among::node, 0, in_results)};
  };
  return kit::vector_form(spec, on, levels, 1, scratch_on_nodes, phases);
}

}  // namespace quadrille::algorithm::allreduce
