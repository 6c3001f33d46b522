// Halves of the ranks are put together, smaller ones first: in the order of ranks on any number of them.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_splits {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::splits_base, kit::combined_counted, reduce_scatter::splits_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_splits",
       .summary = "halves of the ranks are put together, every block at its rank, in the order of ranks",
       .source = "extra: allgather by halves run backwards; as recursive halving on 2^d ranks",
       .closed_form = {.where = "crossbar: counted; (P - 1) m bytes each way on 2^d ranks"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_splits
