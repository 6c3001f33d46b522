// reduce_scatter_halving, then the same rounds the other way about as an all-gather.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_halving {

Algorithm describe() {
  return reduce_scatter::by_halves(
      Collective::allreduce,
      {.name = "allreduce_halving",
       .summary =
           "recursive halving, and then doubling: pairs that differ in one bit swap parts, bit after bit and back",
       .source = "classical; Rabenseifner 2004",
       .closed_form = {.startups = "2 n", .bytes = "2 (P - 1) ceil(m/P)", .where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::allreduce_halving
