// reduce_scatter_linear, then allgather_linear.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_linear {

Algorithm describe() {
  return kit::dual_of<allgather_linear::describe, kit::combined_all_others, kit::few_ranks_in_order>(
      Collective::allreduce, {.name = "allreduce_linear",
                              .summary = "reduces every block at its rank and sends it to all: every rank sends every "
                                         "other its block of the vector at once",
                              .source = "extra: allgather_linear run backwards, then forwards",
                              .closed_form = {.where = "crossbar, all ports"}});
}

}  // namespace quadrille::algorithm::allreduce_linear
