// Standard exchange: from the highest dimension down every rank swaps half of its blocks with its neighbour, then
// permutes all of them so that the next half is contiguous again.
#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_standard {

namespace {

/// A phase per dimension.
Partition phases(const Spec& spec) { return Partition(static_cast<std::size_t>(kit::dimension(spec)), 1); }

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_standard",
          .collective = Collective::alltoall,
          .summary = "standard exchange: dimension by dimension half of all blocks, and a permutation",
          .source = "Nicol & Bokhari 1994, standard exchange; eq. (2) with all n = 1",
          .closed_form = {.startups = "n", .bytes = "n P/2 m", .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_hypercube(s); },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return alltoall::multiphase_formula(s, m, phases(s), false); },
          .build = [](const Spec& s, const Machine& m,
                      const Params&) { return alltoall::multiphase_build(s, m, phases(s), false); }};
}

}  // namespace quadrille::algorithm::alltoall_standard
