// allgather_cycles run backwards: parts of every block go round two cycles of a torus that share no wire.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_cycles {

Algorithm describe() {
  return kit::dual_of<allgather_cycles::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_cycles",
       .summary = "parts of every block go round two cycles of a torus that share no wire",
       .source = "extra: allgather_cycles run backwards; meets the bound on any torus",
       .closed_form = {
           .startups = "P - 1", .bytes = "(P - 1) ceil(m/2)", .further = "P - 1", .where = "torus, one way round"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_cycles
