// From the root one way along a ring through all ranks, the farthest block first: one port is enough.
#include "algorithm/pattern/walk.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

Round interval(const Spec& spec, const Machine& machine) { return relay_interval(machine, spec.ranks() - 1); }

}  // namespace

Algorithm scatter_chain() {
  return {
      .name = "scatter_chain",
      .collective = Collective::scatter,
      .summary = "one way along a ring through all ranks, one block a message, farthest first",
      .source = "extra: Saad & Schultz 1986, eq. (3.38), one way",
      .parameters = {},
      .claims = all_claims,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return needs_ring(s); },
      .variants = one_variant,
      .cost = [](const Spec& s, const Machine& m,
                 const Params&) { return over_network(s, scatter_chain_cost(s.bytes, s.ranks() - 1, interval(s, m))); },
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            const Rank p = s.ranks();
            return relabel(scatter_chain_schedule(p, s.bytes, p - 1, 0, interval(s, m)), ring_order(s, s.root));
          }};
}

}  // namespace quadrille
