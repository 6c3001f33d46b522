// bcast_esbt run backwards: n parts of the vector up n edge-disjoint binomial trees.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_esbt {

Algorithm describe() {
  return kit::dual_of<bcast_esbt::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_esbt",
                           .summary = "n parts of the vector up n edge-disjoint binomial trees",
                           .source = "Johnsson & Ho 1989; dual of bcast_esbt",
                           .closed_form = {.where = "as bcast_esbt"}});
}

}  // namespace quadrille::algorithm::reduce_esbt
