// bcast_two_trees run backwards: halves of the vector come to the root by two ways round.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_two_trees {

Algorithm describe() {
  return kit::dual_of<bcast_two_trees::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_two_trees",
                           .summary = "halves of the vector come to the root by two ways round",
                           .source = "extra: dual of bcast_two_trees",
                           .closed_form = {.where = "as bcast_two_trees"}});
}

}  // namespace quadrille::algorithm::reduce_two_trees
