// bcast_adst run backwards: parts of the vector up as many arc-disjoint trees as a rank has links.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_adst {

Algorithm describe() {
  return kit::dual_of<bcast_adst::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce, {.name = "reduce_adst",
                           .summary = "parts of the vector up as many arc-disjoint trees as a rank has links",
                           .source = "extra: bcast_adst run backwards",
                           .closed_form = {.where = "as bcast_adst"}});
}

}  // namespace quadrille::algorithm::reduce_adst
