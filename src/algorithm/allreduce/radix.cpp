// reduce_scatter_radix, then the same rounds the other way about as an all-gather.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_radix {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::radix_base, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_radix",
       .summary = "reduces every block at its rank and sends it to all, in groups of ranks that differ in one digit",
       .source = "classical; Traeff 2024 where P is no power of the radix",
       .closed_form = {.where = "crossbar, all ports"}});
}

}  // namespace quadrille::algorithm::allreduce_radix
