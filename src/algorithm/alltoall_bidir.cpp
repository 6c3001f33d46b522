// Transposition on a ring, every block the shorter way: half way round goes clockwise. Both directions at once where
// wires are full duplex and ranks use all their ports. [extra: half the bytes of turning one way]
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"
#include "algorithm/turning.hpp"

namespace quadrille {

namespace {

Turns turns(const Spec& spec, const Machine& machine) {
  return {spec.ranks() / 2, (spec.ranks() - 1) / 2, !half_duplex(machine) && machine.ports == Ports::all};
}

}  // namespace

Algorithm alltoall_bidir() {
  return {.name = "alltoall_bidir",
          .collective = Collective::alltoall,
          .summary = "ring exchange, every block the shorter way round; bundles lose a block at every rank",
          .source = "Saad & Schultz 1986, sec. 3.5(C), with both directions",
          .parameters = {},
          .claims = all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return turns_illegal(s, m); },
          .variants = one_variant,
          .cost = [](const Spec& s, const Machine& m, const Params&) { return turns_cost(s, m, turns(s, m)); },
          .build = [](const Spec& s, const Machine& m, const Params&) { return turns_build(s, m, turns(s, m)); }};
}

}  // namespace quadrille
