// Nodes with several ranks: between leaders and then inside, or in parts that all ranks of a node carry between nodes.
#include "algorithm/kit/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_levels {

namespace {

using kit::OnNodes;
using kit::Tier;
using schedule::Among;

constexpr auto whole = [](Rank, Buffer, Slot, std::vector<schedule::Lot>& lots) { lots.push_back({}); };

Slot no_scratch(const kit::Schedules&) { return 0; }

kit::Form leaders(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_vector("outer", Tier::between, Collective::bcast, spec, on),
                                       kit::of_vector("inner", Tier::inside, Collective::bcast, spec, on)};
  const auto phases = [=](const kit::Schedules& inner) -> std::vector<schedule::Phase> {
    return {kit::vector_phase(spec, levels[0], inner[0], Among::leaders, on.root_core, whole),
            kit::vector_phase(spec, levels[1], inner[1], Among::node, 0, whole)};
  };
  return kit::vector_form(spec, on, levels, 0, no_scratch, phases);
}

/// The root's node scatters parts among its ranks. Every rank of a slice then gets its part, and nodes put them
/// together.
kit::Form slices(const Spec& spec, const OnNodes& on) {
  const std::vector<kit::Level> levels{kit::of_share("before", Tier::inside, Collective::scatter, spec, on),
                                       kit::of_share("outer", Tier::between, Collective::bcast, spec, on),
                                       kit::of_share("inner", Tier::inside, Collective::allgather, spec, on)};
  const auto part = [=](Rank r, Buffer, Slot, std::vector<schedule::Lot>& lots) {
    lots.push_back({.base = r % on.cores * on.share});
  };
  const auto dealt = [=](Rank r, Buffer b, Slot, std::vector<schedule::Lot>& lots) {
    lots.push_back({.base = b == Buffer::in ? 0 : r % on.cores * on.share});
  };
  const auto phases = [=](const kit::Schedules& inner) -> std::vector<schedule::Phase> {
    return {kit::shares_phase(spec, on, levels[0], inner[0], Among::one_node, on.root_node, dealt),
            kit::shares_phase(spec, on, levels[1], inner[1], Among::slices, 0, part),
            kit::vector_phase(spec, levels[2], inner[2], Among::node, 0, whole)};
  };
  kit::Form form = kit::vector_form(spec, on, levels, 1, no_scratch, phases);
  form.once = false;
  return form;
}

std::vector<kit::Form> forms(const Spec& spec, const OnNodes& on) { return {leaders(spec, on), slices(spec, on)}; }

}  // namespace

Algorithm describe() {
  return kit::levels_of<forms>(
      Collective::bcast,
      {.name = "bcast_levels",
       .summary = "any algorithm between nodes with any inside them, from leader to leader or with all ranks of a node",
       .source = "extra: classical; Karonis et al. 2000 (MPICH-G2); Traeff & Rougier 2014",
       .closed_form = {.where = "nodes with several ranks: counted on the routes"}},
      {kit::level_pieces, kit::before_level, kit::outer_level, kit::inner_level});
}

}  // namespace quadrille::algorithm::bcast_levels
