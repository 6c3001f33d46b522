// allgather_twoway run backwards: blocks come to their ranks both ways round a ring.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_twoway {

Algorithm describe() {
  return kit::dual_of<allgather_twoway::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter, {.name = "reduce_scatter_twoway",
                                   .summary = "blocks come to their ranks both ways round a ring",
                                   .source = "extra: allgather_twoway run backwards",
                                   .closed_form = {.startups = "floor(P/2)",
                                                   .bytes = "floor(P/2) m",
                                                   .further = "floor((P - 1)/2)",
                                                   .where = "ring, full duplex, whole blocks"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_twoway
