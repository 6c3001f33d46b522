// Transposition on a ring by turning everything clockwise: every rank passes on what is not for it. On a torus along
// one axis after the other, in bundles for all ranks that lie behind.
#include "algorithm/alltoall/shared/port_turns.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_rotate {

namespace {

alltoall::Turning turning(const Spec& spec, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  return alltoall::turning_of(
      axes, {pattern::order_from(axes, static_cast<int>(params.get("first", 0)), 1)},
      [](Rank side) {
        return alltoall::Turn{side - 1, 0};
      },
      false);
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_rotate",
          .collective = Collective::alltoall,
          .summary = "exchange in one direction along the axes of a ring or torus: bundles lose a share at every rank",
          .source = "Saad & Schultz 1986, eq. (3.43), without the own block; on a torus in place of eq. (3.44)",
          .closed_form = {.startups = "P - 1", .bytes = "P (P - 1)/2 m", .where = "ring"},
          .parameters = {pattern::first_parameter()},
          .claims = kit::all_claims,
          .illegal = alltoall::turning_illegal,
          .variants = pattern::first_variants,
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return alltoall::turning_cost(s, m, turning(s, p)); },
          .build = [](const Spec& s, const Machine& m,
                      const Params& p) { return alltoall::turning_build(s, m, turning(s, p)); }};
}

}  // namespace quadrille::algorithm::alltoall_rotate
