// allgather_flood run backwards: from line to line, whole rows of blocks at once.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_flood {

namespace {

/// Of several axes the first is reduced first, whose ranks are not next to each other.
bool on_a_line(const Spec& spec, const Machine& machine, const Params&) {
  return pattern::axes_of(spec).count() == 1 && !kit::half_duplex(machine);
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<allgather_flood::describe, kit::combined_counted, on_a_line>(
      Collective::reduce_scatter, {.name = "reduce_scatter_flood",
                                   .summary = "from line to line, whole rows of blocks at once",
                                   .source = "extra: allgather_flood run backwards",
                                   .closed_form = {.where = "mesh"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_flood
