// allgather_axes_rotated run backwards: parts of every block go round the rings of all axes at once.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_axes_rotated {

Algorithm describe() {
  return kit::dual_of<allgather_axes_rotated::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter, {.name = "reduce_scatter_axes_rotated",
                                   .summary = "parts of every block go round the rings of all axes at once",
                                   .source = "extra: allgather_axes_rotated run backwards",
                                   .closed_form = {.startups = "2 (s - 1)",
                                                   .bytes = "(P - 1) ceil(m/2)",
                                                   .further = "2 (s - 1)",
                                                   .where = "square torus, one way round"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_axes_rotated
