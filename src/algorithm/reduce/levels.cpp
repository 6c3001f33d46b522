// Nodes with several ranks: inside every node to a leader and then between leaders, or in parts that all ranks of a
// node carry between nodes.
#include "algorithm/kit/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;

/// Sums are in `out` at the root, and elsewhere in scratch.
Buffer sums_of(const Spec& spec, Rank r) { return r == spec.root ? Buffer::out : Buffer::tmp; }

schedule::Place inside(const Spec& spec) {
  return [root = spec.root](Rank r, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
    const Buffer sums = r == root ? Buffer::out : Buffer::tmp;
    lots.push_back({.buffer = b == Buffer::out ? sums : b, .label = b == Buffer::tmp ? label : 0});
  };
}

Slot scratch(const kit::Schedules& inner) {
  return std::max({Slot{1}, kit::vectors_of_scratch(*inner[0]), kit::vectors_of_scratch(*inner[1])});
}

kit::Form leaders(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_vector("inner", Tier::inside, Collective::reduce, spec, on),
                                       kit::of_vector("outer", Tier::between, Collective::reduce, spec, on)};
  const auto sums = [=](Rank r, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
    if (b == Buffer::tmp)
      lots.push_back({.buffer = b, .label = label});
    else
      lots.push_back({.buffer = sums_of(spec, r)});
  };
  const auto phases = [=](const kit::Schedules& inner) -> std::vector<schedule::Phase> {
    return {kit::vector_phase(spec, levels[0], inner[0], Among::node, 0, inside(spec)),
            kit::vector_phase(spec, levels[1], inner[1], Among::leaders, on.root_core, sums)};
  };
  return kit::vector_form(spec, on, levels, 1, scratch, phases);
}

kit::Form slices(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_share("before", Tier::inside, Collective::reduce_scatter, spec, on),
                                       kit::of_share("outer", Tier::between, Collective::reduce, spec, on),
                                       kit::of_share("inner", Tier::inside, Collective::gather, spec, on)};
  const auto part = [=](Rank r, Buffer b, Slot label, std::vector<schedule::Lot>& lots) {
    const Bytes base = r % on.cores * on.share;
    if (b == Buffer::tmp)
      lots.push_back({.buffer = b, .label = label, .base = base});
    else
      lots.push_back({.buffer = sums_of(spec, r), .base = base});
  };
  const auto collected = [=](Rank r, Buffer b, Slot, std::vector<schedule::Lot>& lots) {
    lots.push_back({.buffer = sums_of(spec, r), .base = b == Buffer::in ? r % on.cores * on.share : 0});
  };
  const auto phases = [=](const kit::Schedules& inner) -> std::vector<schedule::Phase> {
    return {kit::vector_phase(spec, levels[0], inner[0], Among::node, 0, inside(spec)),
            kit::shares_phase(spec, on, levels[1], inner[1], Among::slices, 0, part),
            kit::shares_phase(spec, on, levels[2], inner[2], Among::one_node, on.root_node, collected)};
  };
  return kit::vector_form(spec, on, levels, 1, scratch, phases);
}

std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) { return {leaders(spec, on), slices(spec, on)}; }

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::reduce,
      {.name = "reduce_levels",
       .summary = "any algorithm inside nodes with any between them, from leader to leader or with all ranks of a node",
       .source = "extra: classical; Karonis et al. 2000 (MPICH-G2); Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::level_pieces, kit::before_level, kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::reduce_levels
