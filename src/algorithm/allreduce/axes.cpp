// reduce_scatter_axes, then allgather_axes.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_axes {

Algorithm describe() {
  return kit::dual_of<allgather_axes::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_axes",
       .summary =
           "reduces every block at its rank and sends it to all: blocks go round the rings of one axis after the other",
       .source = "extra: allgather_axes run backwards, then forwards",
       .closed_form = {.where = "torus"}});
}

}  // namespace quadrille::algorithm::allreduce_axes
