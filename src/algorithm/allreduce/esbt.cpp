// reduce_esbt, then bcast_esbt.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_esbt {

Algorithm describe() {
  return kit::dual_of<bcast_esbt::describe, kit::combined_counted, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_esbt",
       .summary = "parts up edge-disjoint trees to rank 0, and their results down the same trees",
       .source = "extra: dual of bcast_esbt, and then that",
       .closed_form = {.where = "as bcast_esbt"}});
}

}  // namespace quadrille::algorithm::allreduce_esbt
