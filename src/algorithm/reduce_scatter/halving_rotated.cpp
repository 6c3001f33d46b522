// allgather_adea_rotated run backwards: n parts of every block halve along n dimensions at once.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_halving_rotated {

Algorithm describe() {
  return kit::dual_of<allgather_adea_rotated::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_halving_rotated",
       .summary = "n parts of every block halve along n dimensions at once",
       .source = "extra: allgather_adea_rotated run backwards",
       .closed_form = {
           .startups = "n", .bytes = "(P - 1) ceil(m/n)", .further = "n (n - 1)", .where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_halving_rotated
