// All write their contributions to the memory, then every rank reads those to its block, in rank order.
#include "algorithm/reduce_scatter/shared/memory.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_memory {

Algorithm describe() {
  return reduce_scatter::through_memory(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_memory",
       .summary = "all write what others need, then every rank reads and combines what is for it",
       .source = "extra: meets the bound of a memory whose accesses at once divide P",
       .closed_form = {.startups = "2 ceil(P/k)", .bytes = "2 ceil(P/k) (P - 1) m", .where = "memory"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_memory
