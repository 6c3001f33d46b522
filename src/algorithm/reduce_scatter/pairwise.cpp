// On a switch every rank sends each other rank the block that is wanted there, one in every round.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_pairwise {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::pairwise_base, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_pairwise",
       .summary = "P-1 shifts: in every round a block of contributions goes straight to its rank",
       .source = "classical; P-1 rounds of one block",
       .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "switch"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_pairwise
