// reduce_scatter_twoway, then allgather_twoway.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_twoway {

Algorithm describe() {
  return kit::dual_of<allgather_twoway::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_twoway",
       .summary =
           "reduces every block at its rank and sends it to all: blocks come to their ranks both ways round a ring",
       .source = "extra: allgather_twoway run backwards, then forwards",
       .closed_form = {.startups = "2 floor(P/2)",
                       .bytes = "2 floor(P/2) ceil(m/P)",
                       .further = "2 floor((P - 1)/2)",
                       .where = "ring, full duplex, whole blocks"}});
}

}  // namespace quadrille::algorithm::allreduce_twoway
