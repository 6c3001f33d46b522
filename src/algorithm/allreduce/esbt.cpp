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
       .source = "extra: bcast_esbt run backwards, then forwards",
       .closed_form = {.startups = "2 (nu + n)",
                       .bytes = "2 (nu + n) m/(n nu)",
                       .further = "2 (n - 1) (nu + n)",
                       .where = "hypercube, full duplex, n nu divides m"}});
}

}  // namespace quadrille::algorithm::allreduce_esbt
