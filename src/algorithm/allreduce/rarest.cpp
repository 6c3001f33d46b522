// reduce_scatter_rarest, then allgather_rarest: on any network of links between ranks.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/searched_dual.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_rarest {

Algorithm describe() {
  return kit::searched_dual<allgather_rarest::describe>(
      Collective::allreduce,
      {.name = "allreduce_rarest",
       .summary = "reduces every block at its rank on the ways on which allgather_rarest then spreads them",
       .source = "extra: allgather_rarest run backwards, then forwards",
       .closed_form = {.where = "links between ranks: counted; at least 2 (P - 1) / degree rounds"}});
}

}  // namespace quadrille::algorithm::allreduce_rarest
