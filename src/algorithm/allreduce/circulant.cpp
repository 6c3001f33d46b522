// reduce_scatter_circulant, then the same rounds the other way about as an all-gather.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_circulant {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::circulant_base, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_circulant",
       .summary = "reduces every block at its rank and sends it to all: half of what is left goes half of the distance "
                  "on, and back",
       .source = "Traeff 2024, arXiv 2410.14234",
       .closed_form = {.startups = "2 ceil(log2(P))", .bytes = "2 (P - 1) ceil(m/P)", .where = "switch"}});
}

}  // namespace quadrille::algorithm::allreduce_circulant
