// bcast_pipelined run backwards: packets go up a tree of shortest ways and are combined at each rank.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_pipelined {

Algorithm describe() {
  return kit::dual_of<bcast_pipelined::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_pipelined",
                           .summary = "packets go up a tree of shortest ways and are combined at each rank",
                           .source = "extra: dual of bcast_pipelined",
                           .closed_form = {.where = "as bcast_pipelined"}});
}

}  // namespace quadrille::algorithm::reduce_pipelined
