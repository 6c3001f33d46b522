// bcast_chain run backwards: packets go one way through all ranks to the root and are combined at each.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_chain {

Algorithm describe() {
  return kit::dual_of<bcast_chain::describe, kit::combined_as_sent, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_chain",
                           .summary = "packets go one way through all ranks to the root and are combined at each",
                           .source = "extra: dual of bcast_chain",
                           .closed_form = {.where = "as bcast_chain"}});
}

}  // namespace quadrille::algorithm::reduce_chain
