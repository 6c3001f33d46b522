// bcast_relayed run backwards: parts of the vector meet at all other ranks, and these send the root their sums.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_relayed {

Algorithm describe() {
  return kit::dual_of<bcast_relayed::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_relayed",
                           .summary = "parts of the vector meet at all other ranks, and these send the root their sums",
                           .source = "extra: dual of bcast_relayed",
                           .closed_form = {.where = "as bcast_relayed"}});
}

}  // namespace quadrille::algorithm::reduce_relayed
