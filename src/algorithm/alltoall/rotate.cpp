// Transposition on a ring by turning everything clockwise: every rank passes on what is not for it. On a torus along
// one axis after the other, in bundles for all ranks that lie behind.
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/alltoall/shared/port_turns.hpp"

namespace quadrille {

namespace {

Turning turning(const Spec& spec, const Params& params) {
  const Axes axes = axes_of(spec);
  return turning_of(
      axes, {order_from(axes, static_cast<int>(params.get("first", 0)), 1)},
      [](Rank side) {
        return Turn{side - 1, 0};
      },
      false);
}

}  // namespace

Algorithm alltoall_rotate() {
  return {.name = "alltoall_rotate",
          .collective = Collective::alltoall,
          .summary = "exchange in one direction along the axes of a ring or torus: bundles lose a share at every rank",
          .source = "Saad & Schultz 1986, eq. (3.43), without the own block; on a torus in place of eq. (3.44)",
          .parameters = {first_parameter()},
          .claims = all_claims,
          .illegal = turning_illegal,
          .variants = first_variants,
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return turning_cost(s, m, turning(s, p)); },
          .build = [](const Spec& s, const Machine& m, const Params& p) { return turning_build(s, m, turning(s, p)); }};
}

}  // namespace quadrille
