// reduce_scatter_ring, then allgather_daisy.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_ring {

Algorithm describe() {
  return kit::dual_of<allgather_daisy::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_ring",
       .summary = "reduces every block at its rank and sends it to all: one block a message "
                  "goes once round the ring and is combined at every rank",
       .source = "Patarasuk & Yuan 2009; allgather_daisy run backwards, then forwards",
       .closed_form = {.startups = "2 (P - 1)", .bytes = "2 (P - 1) ceil(m/P)", .where = "ring"}});
}

}  // namespace quadrille::algorithm::allreduce_ring
