// Every rank sends its block to all others at once, straight to each.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

Algorithm allgather_linear() {
  return linear("allgather_linear", Collective::allgather, "every rank's block to all others at once, straight to each",
                linear_exchange);
}

}  // namespace quadrille
