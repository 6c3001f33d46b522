// Nodes with several ranks: blocks go to the rank of their node that has the destination's core number, and from there
// together with the others' to its node.
#include "algorithm/kit/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;
using schedule::Lot;

/// In scratch, block n' * k + c is that of the node's core c for node n'. What a rank has for its own core number stays
/// in `in`, and what comes for the rank itself is in `out` at once.
schedule::Place inside(Rank nodes, Rank k) {
  return [=](Rank r, Buffer b, Slot core, std::vector<Lot>& lots) {
    const Rank node = r / k;
    if (b == Buffer::in) return lots.push_back({.buffer = b, .label = core, .stride = k, .count = nodes});
    if (b == Buffer::tmp) return lots.push_back({.buffer = b, .label = nodes * k + core * nodes, .count = nodes});
    lots.push_back({.buffer = Buffer::tmp, .label = core, .stride = k, .count = node});
    lots.push_back({.label = node * k + core});
    lots.push_back({.buffer = Buffer::tmp, .label = (node + 1) * k + core, .stride = k, .count = nodes - 1 - node});
  };
}

schedule::Place between(Rank nodes, Rank k) {
  return [=](Rank r, Buffer b, Slot node, std::vector<Lot>& lots) {
    const Rank core = r % k;
    if (b == Buffer::out) return lots.push_back({.label = node * k, .count = k});
    if (b == Buffer::tmp) return lots.push_back({.buffer = b, .label = (nodes + node) * k, .count = k});
    lots.push_back({.buffer = Buffer::tmp, .label = node * k, .count = core});
    lots.push_back({.buffer = Buffer::in, .label = node * k + core});
    lots.push_back({.buffer = Buffer::tmp, .label = node * k + core + 1, .count = k - 1 - core});
  };
}

std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) {
  const Rank n = on.nodes, k = on.cores, p = spec.ranks();
  const auto compose = [=](const std::vector<SchedulePtr>& inner) {
    const Slot scratch = p + std::max(inner[0]->shape().tmp * n, inner[1]->shape().tmp * k);
    const Shape shape{.ranks = p, .in = p, .out = p, .tmp = scratch, .cut = {.bytes = spec.bytes}};
    return schedule::levels(shape, on.grouping(),
                            {{.inner = inner[0], .among = Among::node, .place = inside(n, k)},
                             {.inner = inner[1], .among = Among::slices, .place = between(n, k)}});
  };
  return {{{kit::of_blocks("inner", Tier::inside, Collective::alltoall, spec, on, n),
            kit::in_slices(kit::of_blocks("outer", Tier::between, Collective::alltoall, spec, on, k), on)},
           compose}};
}

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::alltoall,
      {.name = "alltoall_levels",
       .summary = "any algorithm inside nodes, by core number of the destination, and then any between nodes",
       .source = "extra: classical; Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::alltoall_levels
