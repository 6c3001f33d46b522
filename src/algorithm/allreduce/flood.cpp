// reduce_scatter_flood, then allgather_flood.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_flood {

Algorithm describe() {
  return kit::dual_of<allgather_flood::describe, kit::combined_counted, kit::never_in_order>(
      Collective::allreduce, {.name = "allreduce_flood",
                              .summary = "reduces every block at its rank and sends it to all: from line to line, "
                                         "whole rows of blocks at once, in the order of ranks",
                              .source = "extra: dual of, and then, allgather_flood",
                              .closed_form = {.where = "mesh"}});
}

}  // namespace quadrille::algorithm::allreduce_flood
