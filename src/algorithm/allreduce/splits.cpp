// reduce_scatter_splits, then the same forwards.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_splits {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::splits_base, kit::combined_counted, reduce_scatter::splits_in_order>(
      Collective::allreduce,
      {.name = "allreduce_splits",
       .summary = "halves of the ranks are put together, every block at its rank, in the order of ranks; then all "
                  "blocks go back",
       .source = "extra: allgather by halves run backwards, then forwards; as recursive halving on 2^d ranks",
       .closed_form = {.where = "crossbar: counted; (P - 1) m bytes each way on 2^d ranks"}});
}

}  // namespace quadrille::algorithm::allreduce_splits
