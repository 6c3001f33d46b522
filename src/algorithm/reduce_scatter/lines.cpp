// allgather_lines run backwards: every rank of a line sends every other at once what it and those behind it want.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_lines {

Algorithm describe() {
  Algorithm lines = kit::dual_of<allgather_lines::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_lines",
       .summary = "axis after axis: every rank of a line sends every other at once what is for its side; counted",
       .source = "extra: allgather_lines run backwards",
       .closed_form = {.where = "torus or mesh: a round for each axis; counted"}});
  lines.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return lines;
}

}  // namespace quadrille::algorithm::reduce_scatter_lines
