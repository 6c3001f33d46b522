// reduce_scatter_axes_rotated, then allgather_axes_rotated.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_axes_rotated {

Algorithm describe() {
  return kit::dual_of<allgather_axes_rotated::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce, {.name = "allreduce_axes_rotated",
                              .summary = "reduces every block at its rank and sends it to all: parts of every block go "
                                         "round the rings of all axes at once",
                              .source = "extra: allgather_axes_rotated run backwards, then forwards",
                              .closed_form = {.startups = "4 (s - 1)",
                                              .bytes = "2 (P - 1) ceil(ceil(m/P)/2)",
                                              .further = "4 (s - 1)",
                                              .where = "square torus, one way round"}});
}

}  // namespace quadrille::algorithm::allreduce_axes_rotated
