// allgather_daisy run backwards: one block a message goes once round the ring and is combined at every rank.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_ring {

Algorithm describe() {
  return kit::dual_of<allgather_daisy::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_ring",
       .summary = "one block a message goes once round the ring and is combined at every rank",
       .source = "Patarasuk & Yuan 2009; allgather_daisy run backwards",
       .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "ring"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_ring
