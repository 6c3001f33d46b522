// allgather_doubling run backwards: on a switch: half of what is left goes to a rank 2^i places back.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_doubling {

Algorithm describe() {
  return kit::dual_of<allgather_doubling::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_doubling",
       .summary = "on a switch: half of what is left goes to a rank 2^i places back",
       .source = "extra: allgather_doubling run backwards",
       .closed_form = {.startups = "ceil(log2(P))", .bytes = "(P - 1) m", .where = "switch"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_doubling
