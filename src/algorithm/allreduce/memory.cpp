// Every rank reduces a part of the vector out of the memory, in rank order, and then reads the results of the others.
#include "algorithm/reduce_scatter/shared/memory.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_memory {

Algorithm describe() {
  return reduce_scatter::through_memory(
      Collective::allreduce,
      {.name = "allreduce_memory",
       .summary = "every rank reduces a part of the vector out of the memory, writes it there and reads the others",
       .source = "extra: meets the bound of a memory whose accesses at once divide P",
       .closed_form = {.startups = "4 ceil(P/k)", .bytes = "ceil(P/k) (3 P - 2) ceil(m/P)", .where = "memory"}});
}

}  // namespace quadrille::algorithm::allreduce_memory
