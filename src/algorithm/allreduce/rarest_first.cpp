// reduce_scatter_rarest_first, then allgather_rarest_first: on any network of links between ranks.
#include "algorithm/kit/searched_dual.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_rarest_first {

Algorithm describe() {
  return kit::searched_dual(
      Collective::allreduce,
      {.name = "allreduce_rarest_first",
       .summary = "reduces every block at its rank on the ways on which allgather_rarest_first then spreads them",
       .source = "extra: allgather_rarest_first run backwards, then forwards",
       .closed_form = {.where = "links between ranks: counted; at least 2 (P - 1) / degree rounds"}});
}

}  // namespace quadrille::algorithm::allreduce_rarest_first
