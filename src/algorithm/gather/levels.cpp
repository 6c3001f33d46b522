// Nodes with several ranks: from the node's ranks to its leader, and from leaders to the root.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/node_places.hpp"

namespace quadrille::algorithm::gather_levels {

namespace {

using kit::Tier;
using schedule::Among;

std::vector<kit::Form> forms(const Spec& spec, const kit::OnNodes& on) {
  const scatter::NodePlaces places{Buffer::out, Buffer::in, on};
  const auto compose = [=](const std::vector<SchedulePtr>& inner) {
    const Shape shape{.ranks = spec.ranks(),
                      .in = 1,
                      .out = spec.ranks(),
                      .tmp = places.scratch(*inner[1], *inner[0]),
                      .cut = {.bytes = spec.bytes}};
    return schedule::levels(
        shape, on.grouping(),
        {{.inner = inner[0], .among = Among::node, .place = places.inside()},
         {.inner = inner[1], .among = Among::leaders, .chosen = on.root_core, .place = places.between()}});
  };
  return {{{kit::of_blocks("inner", Tier::inside, Collective::gather, spec, on, 1),
            kit::of_blocks("outer", Tier::between, Collective::gather, spec, on, on.cores)},
           compose}};
}

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(Collective::gather,
                               {.name = "gather_levels",
                                .summary = "any algorithm inside nodes to their leaders, and then any to the root",
                                .source = "extra: classical; Karonis et al. 2000 (MPICH-G2)",
                                .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
                               {kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::gather_levels
