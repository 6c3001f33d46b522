// reduce_scatter_halving_rotated, then allgather_adea_rotated.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_halving_rotated {

Algorithm describe() {
  return kit::dual_of<allgather_adea_rotated::describe, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce, {.name = "allreduce_halving_rotated",
                              .summary = "reduces every block at its rank and sends it to all: n parts of every block "
                                         "halve along n dimensions at once",
                              .source = "extra: allgather_adea_rotated run backwards, then forwards",
                              .closed_form = {.startups = "2 n",
                                              .bytes = "2 (P - 1) ceil(ceil(m/P)/n)",
                                              .further = "2 n (n - 1)",
                                              .where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::allreduce_halving_rotated
