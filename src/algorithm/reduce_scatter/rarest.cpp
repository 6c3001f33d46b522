// allgather_rarest run backwards: on any network of links between ranks.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/searched_dual.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_rarest {

Algorithm describe() {
  return kit::searched_dual<allgather_rarest::describe>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_rarest",
       .summary = "contributions come together on the ways on which allgather_rarest spreads blocks",
       .source = "extra: allgather_rarest run backwards",
       .closed_form = {.where = "links between ranks: counted; at least (P - 1) / degree rounds"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_rarest
