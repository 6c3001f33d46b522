// Every rank sends every other its block, all at once and straight to it: nothing is relayed, packed or waited for.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_linear {

Algorithm describe() {
  return pattern::linear("alltoall_linear", Collective::alltoall,
                         "all blocks at once, each straight to its rank, every rank beginning with another",
                         pattern::linear_exchange);
}

}  // namespace quadrille::algorithm::alltoall_linear
