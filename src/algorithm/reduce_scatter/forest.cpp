// Every block's contributions up spanning trees of its own, on any network.
#include "algorithm/kit/forest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_forest {

Algorithm describe() {
  return kit::forest(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_forest",
       .summary =
           "contributions to every block up spanning trees of its own that share all links; they are searched for",
       .source = "extra: allgather_forest on the network the other way round, run backwards",
       .closed_form = {.where = "full duplex, all ports: counted"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_forest
