// reduce_scatter_lines, then allgather_lines.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_lines {

Algorithm describe() {
  Algorithm lines = kit::dual_of<allgather_lines::describe, kit::combined_counted, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_lines",
       .summary =
           "reduces every block at its rank and sends it to all, axis after axis, all ranks of a line at once; counted",
       .source = "extra: allgather_lines run backwards, then forwards",
       .closed_form = {.where = "torus or mesh: two rounds for each axis; counted"}});
  lines.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return lines;
}

}  // namespace quadrille::algorithm::allreduce_lines
