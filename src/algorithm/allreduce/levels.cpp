// Nodes with several ranks: every rank of a node reduces its part with those of other nodes, or leaders reduce for
// their nodes.
#include "algorithm/kit/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;

/// Sums of nodes are in scratch, where the level inside has its own, too.
void inside(Rank, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
  lots.push_back({.buffer = b == Buffer::in ? b : Buffer::tmp, .label = b == Buffer::tmp ? label : 0});
}
void results(Rank, Buffer, Slot, std::vector<schedule::Lot>& lots) { lots.push_back({}); }

/// From the sums of nodes, which ranks still send while they receive, to results; each core from its part on. Scratch
/// comes behind the sums.
schedule::Place between(Rank cores, Bytes share) {
  return [=](Rank r, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
    const Bytes base = r % cores * share;
    if (b == Buffer::out)
      lots.push_back({.base = base});
    else
      lots.push_back({.buffer = Buffer::tmp, .label = b == Buffer::in ? 0 : 1 + label, .base = base});
  };
}

Slot scratch(const Schedule& before, const Schedule& outer) {
  return std::max(kit::vectors_of_scratch(before), 1 + kit::vectors_of_scratch(outer));
}

kit::Form slices(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_share("before", Tier::inside, Collective::reduce_scatter, spec, on),
                                       kit::of_share("outer", Tier::between, Collective::allreduce, spec, on),
                                       kit::of_share("inner", Tier::inside, Collective::allgather, spec, on)};
  return {levels, [=](const std::vector<SchedulePtr>& inner) {
            return kit::vector_levels(
                spec, on, scratch(*inner[0], *inner[1]),
                {kit::vector_phase(spec, levels[0], inner[0], Among::node, 0, inside),
                 kit::shares_phase(spec, on, levels[1], inner[1], Among::slices, 0, between(on.cores, on.share)),
                 kit::vector_phase(spec, levels[2], inner[2], Among::node, 0, results)});
          }};
}

kit::Form leaders(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_vector("before", Tier::inside, Collective::reduce, spec, on),
                                       kit::of_vector("outer", Tier::between, Collective::allreduce, spec, on),
                                       kit::of_vector("inner", Tier::inside, Collective::bcast, spec, on)};
  return {levels, [=](const std::vector<SchedulePtr>& inner) {
            return kit::vector_levels(
                spec, on, scratch(*inner[0], *inner[1]),
                {kit::vector_phase(spec, levels[0], inner[0], Among::node, 0, inside),
                 kit::vector_phase(spec, levels[1], inner[1], Among::leaders, on.root_core, between(on.cores, 0)),
                 kit::vector_phase(spec, levels[2], inner[2], Among::node, 0, results)});
          }};
}

std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) { return {slices(spec, on), leaders(spec, on)}; }

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::allreduce,
      {.name = "allreduce_levels",
       .summary = "any algorithm between nodes with any inside them, with all ranks of a node or from leader to leader",
       .source = "extra: classical; Karonis et al. 2000 (MPICH-G2); Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::before_level, kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::allreduce_levels
