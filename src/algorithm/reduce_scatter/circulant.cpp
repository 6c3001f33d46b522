// On a switch of any number of ranks: half of what is left goes half of the distance on, in as few rounds as can be.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_circulant {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::circulant_base, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_circulant",
       .summary = "on a switch: half of what is left, rounded down, goes to the rank half of the distance on",
       .source = "Traeff 2024, arXiv 2410.14234",
       .closed_form = {.startups = "ceil(log2(P))", .bytes = "(P - 1) m", .where = "switch"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_circulant
