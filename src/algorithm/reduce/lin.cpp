// bcast_lin run backwards: halves of a line are reduced each by itself, then one hands its sum to the other. Ways back
// may be others than the ways there, so what meets on wires is counted.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_lin {

Algorithm describe() {
  Algorithm reduce = kit::dual_of<bcast_lin::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce,
      {.name = "reduce_lin",
       .summary = "halves of a line are reduced each by itself, then one hands its sum to the other",
       .source = "extra: bcast_lin run backwards",
       .closed_form = {.where = "ceil(log2(P)) start-ups; what meets on wires is counted"}});
  reduce.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return reduce;
}

}  // namespace quadrille::algorithm::reduce_lin
