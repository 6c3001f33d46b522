// Every rank sends its block to all others at once, straight to each.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_linear {

Algorithm describe() {
  return pattern::linear({.name = "allgather_linear",
                          .collective = Collective::allgather,
                          .summary = "every rank's block to all others at once, straight to each",
                          .build = pattern::linear_exchange});
}

}  // namespace quadrille::algorithm::allgather_linear
