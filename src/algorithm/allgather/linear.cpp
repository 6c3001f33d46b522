// Every rank sends its block to all others at once, straight to each.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_linear {

Algorithm describe() {
  return pattern::linear("allgather_linear", Collective::allgather,
                         "every rank's block to all others at once, straight to each", pattern::linear_exchange);
}

}  // namespace quadrille::algorithm::allgather_linear
