// reduce_scatter_flood, then allgather_flood.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_flood {

namespace {

/// Of several axes the first is reduced first, whose ranks are not next to each other.
bool on_a_line(const Spec& spec, const Machine& machine, const Params&) {
  return pattern::axes_of(spec).count() == 1 && !kit::half_duplex(machine);
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<allgather_flood::describe, kit::combined_counted, on_a_line>(
      Collective::allreduce, {.name = "allreduce_flood",
                              .summary = "reduces every block at its rank and sends it to all: from line to line, "
                                         "whole rows of blocks at once",
                              .source = "extra: allgather_flood run backwards, then forwards",
                              .closed_form = {.where = "mesh"}});
}

}  // namespace quadrille::algorithm::allreduce_flood
