// Nodes with several ranks: inside every node each rank sums up for all of its core number, which then do between
// nodes.
#include "algorithm/kit/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;
using schedule::Lot;

/// Partial sums of the node are in scratch, where those of all nodes take their place.
std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) {
  const Rank n = on.nodes, k = on.cores, p = spec.ranks();
  const auto inside = [=](Rank, Buffer b, Slot core, std::vector<Lot>& lots) {
    lots.push_back({.buffer = b == Buffer::in ? b : Buffer::tmp, .label = core, .stride = k, .count = n});
  };
  const auto between = [=](Rank r, Buffer b, Slot node, std::vector<Lot>& lots) {
    lots.push_back({.buffer = b == Buffer::out ? b : Buffer::tmp, .label = node * k + r % k});
  };
  const auto compose = [=](const std::vector<SchedulePtr>& inner) {
    const Shape shape{.ranks = p,
                      .in = p,
                      .out = p,
                      .tmp = p,
                      .cut = {.bytes = spec.bytes, .unit = spec.element},
                      .offsets = spec.offsets};
    return schedule::levels(shape, on.grouping(),
                            {{.inner = inner[0], .among = Among::node, .place = inside},
                             {.inner = inner[1], .among = Among::slices, .place = between}});
  };
  return {{{kit::of_blocks("inner", Tier::inside, Collective::reduce_scatter, spec, on, n),
            kit::in_slices(kit::of_blocks("outer", Tier::between, Collective::reduce_scatter, spec, on, 1), on)},
           compose}};
}

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(Collective::reduce_scatter,
                               {.name = "reduce_scatter_levels",
                                .summary = "any algorithm inside nodes, and then any between ranks of one core number",
                                .source = "extra: classical; Traeff & Rougier 2014",
                                .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
                               {kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::reduce_scatter_levels
