// bcast_two_edst run backwards: halves of the vector up two spanning trees of a square torus that share no wire.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_two_edst {

Algorithm describe() {
  return kit::dual_of<bcast_two_edst::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_two_edst",
                           .summary = "a half of the vector up each of two spanning trees of a square torus that share "
                                      "no wire",
                           .source = "extra: bcast_two_edst run backwards",
                           .closed_form = {.startups = "nu + 7 s/4 - 3",
                                           .bytes = "(nu + 7 s/4 - 3) m/(2 nu)",
                                           .further = ClosedForm::counted,
                                           .where = "square torus, 4 divides s, 2 nu divides m"}});
}

}  // namespace quadrille::algorithm::reduce_two_edst
