// allgather_adea run backwards: neighbours of one dimension after the other swap halves of what is left.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_halving {

Algorithm describe() {
  return kit::dual_of<allgather_adea::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_halving",
       .summary = "neighbours of one dimension after the other swap halves of what is left",
       .source = "extra: dual of allgather_adea, recursive halving",
       .closed_form = {.startups = "n", .bytes = "(P - 1) m", .where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_halving
