// The root hands half of all blocks to another rank, then both hand on half of what they hold, and so on.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/doubling.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_tree {

Algorithm describe() {
  return {.name = "scatter_tree",
          .collective = Collective::scatter,
          .summary = "down a binomial tree: every rank passes on half of the blocks it holds",
          .source = "Saad & Schultz 1985, eq. (5.1); 1986, eq. (3.40), (3.41)",
          .closed_form = {.startups = "ceil(log2(P))", .bytes = "(P - 1) m", .where = "switch"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_doubling(s); },
          .variants = kit::one_variant,
          // The largest messages of the rounds add up to all blocks but the root's, for every P.
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                const Bytes moved = scatter::tree_waits(s.ranks()) ? s.bytes : 0;
                return kit::over_network(
                    s, kit::neighbour_cost(base::log2_ceil(s.ranks()), (s.ranks() - 1) * s.bytes, moved, 0));
              },
          .build = [](const Spec& s, const Machine&,
                      const Params&) { return pattern::from_root(scatter::tree_schedule(s.ranks(), s.bytes), s); }};
}

}  // namespace quadrille::algorithm::scatter_tree
