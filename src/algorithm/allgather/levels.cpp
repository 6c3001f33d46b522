// Nodes with several ranks: all ranks of a node collect from other nodes and then from each other, or a leader collects
// the node's blocks, exchanges them with other leaders, and tells its node.
#include "algorithm/kit/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;
using schedule::Lot;
using Levels = std::vector<kit::Level>;

SchedulePtr together(const Spec& spec, const OnNodes& on, Slot scratch, std::vector<schedule::Phase> phases) {
  const Shape shape{.ranks = spec.ranks(), .out = spec.ranks(), .tmp = scratch, .cut = {.bytes = spec.bytes}};
  return schedule::levels(shape, on.grouping(), std::move(phases));
}

/// What a block of a level is: in `out` as `out` says, in scratch as many blocks behind each other.
template <class Out>
schedule::Place place(Slot times, Out out) {
  return [=](Rank r, Buffer buffer, Slot label, std::vector<Lot>& lots) {
    if (buffer == Buffer::tmp)
      lots.push_back({.buffer = buffer, .label = label * times, .count = times});
    else
      lots.push_back(out(r, buffer, label));
  };
}

kit::Form slices(const Spec& spec, const OnNodes& on) {
  const Rank n = on.nodes, k = on.cores;
  const auto same_core = place(1, [=](Rank r, Buffer, Slot j) { return Lot{.label = j * k + r % k}; });
  const auto all_of_core =
      place(n, [=](Rank, Buffer, Slot core) { return Lot{.label = core, .stride = k, .count = n}; });
  return {Levels{kit::in_slices(kit::of_blocks("outer", Tier::between, Collective::allgather, spec, on, 1), on),
                 kit::of_blocks("inner", Tier::inside, Collective::allgather, spec, on, n)},
          [=](const std::vector<SchedulePtr>& inner) {
            const Slot scratch = std::max(inner[0]->shape().tmp, inner[1]->shape().tmp * n);
            return together(spec, on, scratch,
                            {{.inner = inner[0], .among = Among::slices, .place = same_core},
                             {.inner = inner[1], .among = Among::node, .place = all_of_core}});
          }};
}

kit::Form leaders(const Spec& spec, const OnNodes& on) {
  const Rank p = spec.ranks(), k = on.cores;
  const auto own = place(
      1, [=](Rank r, Buffer buffer, Slot core) { return Lot{.label = buffer == Buffer::in ? r : r / k * k + core}; });
  const auto of_node = place(k, [=](Rank, Buffer, Slot node) { return Lot{.label = node * k, .count = k}; });
  const auto all = place(p, [=](Rank, Buffer, Slot) { return Lot{.count = p}; });
  return {
      Levels{kit::of_blocks("before", Tier::inside, Collective::gather, spec, on, 1),
             kit::of_blocks("outer", Tier::between, Collective::allgather, spec, on, k),
             kit::of_blocks("inner", Tier::inside, Collective::bcast, spec, on, p)},
      [=](const std::vector<SchedulePtr>& inner) {
        const Slot scratch = std::max({inner[0]->shape().tmp, inner[1]->shape().tmp * k, inner[2]->shape().tmp * p});
        return together(spec, on, scratch,
                        {{.inner = inner[0], .among = Among::node, .place = own},
                         {.inner = inner[1], .among = Among::leaders, .place = of_node},
                         {.inner = inner[2], .among = Among::node, .place = all}});
      },
      false};
}

std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) { return {slices(spec, on), leaders(spec, on)}; }

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::allgather,
      {.name = "allgather_levels",
       .summary = "any algorithm between nodes with any inside them, with all ranks of a node or from leader to leader",
       .source = "extra: classical; Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::before_level, kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::allgather_levels
