// Digit after digit: groups of ranks that differ in one digit exchange the parts of the vector that the others want.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_radix {

Algorithm describe() {
  return kit::dual_of<reduce_scatter::radix_base, kit::combined_all_others, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_radix",
       .summary = "groups of ranks that differ in one digit exchange what the others want, digit after digit",
       .source = "classical; Traeff 2024 where P is no power of the radix",
       .closed_form = {.where = "crossbar, all ports"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_radix
