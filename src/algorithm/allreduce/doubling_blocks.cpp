// reduce_scatter_doubling, then allgather_doubling.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_doubling_blocks {

Algorithm describe() {
  return kit::dual_of<allgather_doubling::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_doubling_blocks",
       .summary = "reduces every block at its rank and sends it to all: on a switch: half of "
                  "what is left goes to a rank 2^i places back",
       .source = "extra: allgather_doubling run backwards, then forwards",
       .closed_form = {.startups = "2 ceil(log2(P))", .bytes = "2 (P - 1) ceil(m/P)", .where = "switch"}});
}

}  // namespace quadrille::algorithm::allreduce_doubling_blocks
