// allgather_flood run backwards: from line to line, whole rows of blocks at once, in the order of ranks.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_flood {

Algorithm describe() {
  return kit::dual_of<allgather_flood::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce_scatter, {.name = "reduce_scatter_flood",
                                   .summary = "from line to line, whole rows of blocks at once, in the order of ranks",
                                   .source = "extra: dual of allgather_flood",
                                   .closed_form = {.where = "mesh"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_flood
