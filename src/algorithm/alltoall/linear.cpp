// Every rank sends every other its block, all at once and straight to it: nothing is relayed, packed or waited for.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_linear {

Algorithm describe() {
  return pattern::linear({.name = "alltoall_linear",
                          .collective = Collective::alltoall,
                          .summary = "all blocks at once, each straight to its rank, every rank beginning with another",
                          .literature = {{.families = {"omega"},
                                          .says = "fewer rounds for more volume, by the radix of `alltoall_bruck`: "
                                                  "Bruck, Ho, Kipnis, Upfal & Weathersby"}},
                          .build = pattern::linear_exchange});
}

}  // namespace quadrille::algorithm::alltoall_linear
