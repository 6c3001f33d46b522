// reduce_scatter_forest, then allgather_forest.
#include "algorithm/kit/forest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_forest {

Algorithm describe() {
  return kit::forest(
      Collective::allreduce,
      {.name = "allreduce_forest",
       .summary = "blocks up spanning trees of their own, and their results down others; they are searched for",
       .source = "extra: reduce_scatter_forest, then allgather_forest",
       .closed_form = {.where = "full duplex, all ports: counted"}});
}

}  // namespace quadrille::algorithm::allreduce_forest
