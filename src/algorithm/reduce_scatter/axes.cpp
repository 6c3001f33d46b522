// allgather_axes run backwards: blocks go round the rings of one axis after the other.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_axes {

Algorithm describe() {
  return kit::dual_of<allgather_axes::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter, {.name = "reduce_scatter_axes",
                                   .summary = "blocks go round the rings of one axis after the other",
                                   .source = "extra: allgather_axes run backwards",
                                   .closed_form = {.where = "torus"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_axes
