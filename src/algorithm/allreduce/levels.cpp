// Nodes with several ranks: every rank of a node reduces its part with those of other nodes, or leaders reduce for
// their nodes.
#include "algorithm/allreduce/shared/on_nodes.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;

kit::Form slices(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_share("before", Tier::inside, Collective::reduce_scatter, spec, on),
                                       kit::of_share("outer", Tier::between, Collective::allreduce, spec, on),
                                       kit::of_share("inner", Tier::inside, Collective::allgather, spec, on)};
  const auto phases = [=](const kit::Schedules& inner) -> std::vector<schedule::Phase> {
    return {
        kit::vector_phase(spec, levels[0], inner[0], Among::node, 0, allreduce::in_scratch),
        kit::shares_phase(spec, on, levels[1], inner[1], Among::slices, 0, allreduce::from_sums(on.cores, on.share)),
        kit::vector_phase(spec, levels[2], inner[2], Among::node, 0, allreduce::in_results)};
  };
  return kit::vector_form(spec, on, levels, 1, allreduce::scratch_on_nodes, phases);
}

std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) {
  return {slices(spec, on), allreduce::by_leaders(spec, on, Collective::allreduce)};
}

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::allreduce,
      {.name = "allreduce_levels",
       .summary = "any algorithm between nodes with any inside them, with all ranks of a node or from leader to leader",
       .source = "extra: classical; Karonis et al. 2000 (MPICH-G2); Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::level_pieces, kit::before_level, kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::allreduce_levels
