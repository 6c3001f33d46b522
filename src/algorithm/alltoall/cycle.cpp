// Transposition on a mesh as on a ring: round a cycle through all its ranks, every block the shorter way, half way
// round clockwise or half of it either way. It is alltoall_bidir for meshes, whose lines
// have ends.
#include <algorithm>

#include "algorithm/alltoall/shared/port_turns.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::alltoall_cycle {

namespace {

alltoall::Turning turning(const Spec& spec, const Machine& machine, const Params& params) {
  alltoall::Turning round = alltoall::turning_of(pattern::axes_of({spec.ranks()}, true), {{0}}, alltoall::shorter_way,
                                                 alltoall::turns_together(machine));
  return params.get("ways", 1) == 2 ? alltoall::both_ways(std::move(round)) : round;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const auto* grid = kit::grid(spec);
  if (!grid || grid->wraps())
    return fmt::format("needs a mesh, and {} is none; nearest: mesh:2x{}", spec.topology->text(),
                       std::max<Rank>(2, spec.ranks() / 2));
  if (!pattern::needs_ring(spec).empty())
    return fmt::format(
        "needs a cycle through all ranks, which lines and meshes of an odd number of ranks lack; "
        "nearest: mesh:2x{}",
        std::max<Rank>(2, spec.ranks() / 2));
  if (params.get("ways", 1) == 2 && !alltoall::turns_together(machine))
    return "ways=2 halves the blocks for ranks half way round where both directions work at once; try ways=1";
  return {};
}

std::vector<Params> variants(const Spec&, const Machine& machine) {
  if (!alltoall::turns_together(machine)) return {Params{}};
  return {Params{{"ways", {1}}}, Params{{"ways", {2}}}};
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_cycle",
          .collective = Collective::alltoall,
          .summary = "exchange both ways round a cycle through all ranks of a mesh, every block the shorter way round",
          .source = "extra: Saad & Schultz 1986, eq. (3.43), with both directions, on the snake of sec. 3.3(D)",
          .closed_form = {.startups = "P - 1", .bytes = "floor(P^2/4) m", .where = "mesh, half duplex"},
          .parameters = {pattern::ways_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return alltoall::turning_cost(s, m, turning(s, m, p)); },
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                return schedule::relabel(alltoall::turning_build(s, m, turning(s, m, p)), pattern::ring_order(s));
              }};
}

}  // namespace quadrille::algorithm::alltoall_cycle
