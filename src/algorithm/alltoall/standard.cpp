// Standard exchange: from the highest dimension down every rank swaps half of its blocks with its neighbour, then
// permutes all of them so that the next half is contiguous again.
#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

/// A phase per dimension.
Partition phases(const Spec& spec) { return Partition(static_cast<std::size_t>(dimension(spec)), 1); }

}  // namespace

Algorithm alltoall_standard() {
  return {
      .name = "alltoall_standard",
      .collective = Collective::alltoall,
      .summary = "standard exchange: dimension by dimension half of all blocks, and a permutation",
      .source = "Nicol & Bokhari 1994, standard exchange; eq. (2) with all n = 1",
      .parameters = {},
      .claims = all_claims,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return needs_hypercube(s); },
      .variants = one_variant,
      .cost = [](const Spec& s, const Machine& m, const Params&) { return multiphase_formula(s, m, phases(s), false); },
      .build = [](const Spec& s, const Machine& m, const Params&) { return multiphase_build(s, m, phases(s), false); }};
}

}  // namespace quadrille
