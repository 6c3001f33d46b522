// reduce_scatter_halving, then allgather_adea.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_halving {

Algorithm describe() {
  return kit::dual_of<allgather_adea::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce, {.name = "allreduce_halving",
                              .summary = "reduces every block at its rank and sends it to all: neighbours of one "
                                         "dimension after the other swap halves of what is left",
                              .source = "extra: dual of, and then, allgather_adea, recursive halving",
                              .closed_form = {.where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::allreduce_halving
