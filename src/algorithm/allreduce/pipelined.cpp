// reduce_pipelined to rank 0, then bcast_pipelined from there: packets go up a tree of shortest ways, and down again.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::allreduce_pipelined {

namespace {

/// As that of reduce_pipelined to rank 0.
bool in_order(const Spec& spec, const Machine&, const Params& params) {
  if (spec.ranks() <= 2) return true;
  if (!schedule::keeps_order(spec.ranks(), kit::packets_of(params))) return false;
  const topology::Grid* grid = kit::grid(spec);
  return kit::is_ring(spec) || kit::has_own_wires(spec) || (grid != nullptr && !grid->wraps());
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_pipelined::describe, kit::combined_counted, in_order>(
      Collective::allreduce, {.name = "allreduce_pipelined",
                              .summary = "packets go up a tree of shortest ways, are combined at each rank, and go "
                                         "down again",
                              .source = "extra: bcast_pipelined run backwards, then forwards",
                              .closed_form = {.startups = "2 (nu + D - 1)",
                                              .bytes = "2 (m + (D - 1) ceil(m/nu))",
                                              .further = "2 nu",
                                              .where = "ring, nu divides m"}});
}

}  // namespace quadrille::algorithm::allreduce_pipelined
