// reduce_scatter_cycles, then allgather_cycles.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_cycles {

Algorithm describe() {
  return kit::dual_of<allgather_cycles::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_cycles",
       .summary = "reduces every block at its rank and sends it to all: parts round two cycles that share no wire",
       .source = "extra: allgather_cycles run backwards, then forwards; meets the bound on any torus",
       .closed_form = {.startups = "2 (P - 1)",
                       .bytes = "2 (P - 1) ceil(ceil(m/P)/2)",
                       .further = "2 (P - 1)",
                       .where = "torus, one way round"}});
}

}  // namespace quadrille::algorithm::allreduce_cycles
