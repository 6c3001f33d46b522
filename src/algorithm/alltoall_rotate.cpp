// Transposition on a ring by turning everything clockwise: every rank passes on what is not for it.
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"
#include "algorithm/turning.hpp"

namespace quadrille {

namespace {

Turns turns(const Spec& spec) { return {spec.ranks() - 1, 0, false}; }

}  // namespace

Algorithm alltoall_rotate() {
  return {.name = "alltoall_rotate",
          .collective = Collective::alltoall,
          .summary = "ring exchange in one direction: bundles go round and lose a block at every rank",
          .source = "Saad & Schultz 1986, eq. (3.43), without the own block",
          .parameters = {},
          .claims = all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return turns_illegal(s, m); },
          .variants = one_variant,
          .cost = [](const Spec& s, const Machine& m, const Params&) { return turns_cost(s, m, turns(s)); },
          .build = [](const Spec& s, const Machine& m, const Params&) { return turns_build(s, m, turns(s)); }};
}

}  // namespace quadrille
