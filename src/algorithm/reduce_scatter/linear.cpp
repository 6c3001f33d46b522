// allgather_linear run backwards: every rank sends every other its block of the vector at once.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_linear {

Algorithm describe() {
  return kit::dual_of<allgather_linear::describe, kit::combined_all_others, kit::few_ranks_in_order>(
      Collective::reduce_scatter, {.name = "reduce_scatter_linear",
                                   .summary = "every rank sends every other its block of the vector at once",
                                   .source = "extra: allgather_linear run backwards",
                                   .closed_form = {.where = "crossbar, all ports"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_linear
