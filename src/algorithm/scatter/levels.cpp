// Nodes with several ranks: from the root to a leader of each node, and from there to the node's ranks.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/node_places.hpp"

namespace quadrille::algorithm::scatter_levels {

namespace {

using kit::Tier;
using schedule::Among;

std::vector<kit::Form> forms(const Spec& spec, const kit::OnNodes& on) {
  const scatter::NodePlaces places{Buffer::in, Buffer::out, on};
  const auto compose = [=](const std::vector<SchedulePtr>& inner) {
    const Shape shape{.ranks = spec.ranks(),
                      .in = spec.ranks(),
                      .out = 1,
                      .tmp = places.scratch(*inner[0], *inner[1]),
                      .cut = {.bytes = spec.bytes}};
    return schedule::levels(
        shape, on.grouping(),
        {{.inner = inner[0], .among = Among::leaders, .chosen = on.root_core, .place = places.between()},
         {.inner = inner[1], .among = Among::node, .place = places.inside()}});
  };
  return {{{kit::of_blocks("outer", Tier::between, Collective::scatter, spec, on, on.cores),
            kit::of_blocks("inner", Tier::inside, Collective::scatter, spec, on, 1)},
           compose}};
}

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(Collective::scatter,
                               {.name = "scatter_levels",
                                .summary = "any algorithm from the root to leaders of nodes, and then any inside nodes",
                                .source = "extra: classical; Karonis et al. 2000 (MPICH-G2)",
                                .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
                               {kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::scatter_levels
