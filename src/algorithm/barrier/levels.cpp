// Nodes with several ranks: every node's leader learns that its ranks have come, tells other leaders, and then its
// node.
#include "algorithm/allreduce/shared/on_nodes.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_levels {

namespace {

std::vector<kit::Form> forms(const Spec& spec, const kit::OnNodes& on) {
  return {allreduce::by_leaders(spec, on, Collective::barrier)};
}

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::barrier,
      {.name = "barrier_levels",
       .summary = "any algorithm to the leaders of nodes, then any barrier of leaders, and any algorithm back",
       .source = "extra: classical; Karonis et al. 2000 (MPICH-G2)",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::before_level, kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::barrier_levels
