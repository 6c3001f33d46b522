// From the root one way along a ring through all ranks, the farthest block first: one port is enough.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_chain {

namespace {

Round interval(const Spec& spec, const Machine& machine) { return kit::relay_interval(machine, spec.ranks() - 1); }

}  // namespace

Algorithm describe() {
  return {.name = "scatter_chain",
          .collective = Collective::scatter,
          .summary = "one way along a ring through all ranks, one block a message, farthest first",
          .source = "extra: Saad & Schultz 1986, eq. (3.38), one way",
          .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "ring"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_ring(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::over_network(s, scatter::chain_cost(s.bytes, s.ranks() - 1, interval(s, m)));
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const Rank p = s.ranks();
                return schedule::relabel(scatter::chain_schedule(p, s.bytes, p - 1, 0, interval(s, m)),
                                         pattern::ring_order(s, s.root));
              }};
}

}  // namespace quadrille::algorithm::scatter_chain
