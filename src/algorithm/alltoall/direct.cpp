// Direct exchange: in round x every rank swaps a block with the rank whose number differs from its own by xor x. E-cube
// routes of one round share no directed link.
#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_direct {

namespace {

/// One phase that spans all dimensions.
Partition phases(const Spec& spec) { return {kit::dimension(spec)}; }

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_direct",
          .collective = Collective::alltoall,
          .summary = "direct exchange: P-1 rounds of one block, ranks that differ by xor 1, 2, ...",
          .source = "Nicol & Bokhari 1994, direct exchange; eq. (1) with n = d, without the identity permutation",
          .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "hypercube, full duplex, circuits"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal =
              [](const Spec& s, const Machine& m, const Params&) {
                const std::string reason = kit::needs_hypercube(s);
                return reason.empty() ? alltoall::multiphase_illegal(s, m, phases(s)) : reason;
              },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return alltoall::multiphase_formula(s, m, phases(s), false); },
          .build = [](const Spec& s, const Machine& m,
                      const Params&) { return alltoall::multiphase_build(s, m, phases(s), false); }};
}

}  // namespace quadrille::algorithm::alltoall_direct
