// allgather_lin run backwards: halves of a line are reduced each by itself, then ranks half a line apart hand each
// other what is the other's. Ways back may be others than the ways there, so what meets on wires is counted.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_lin {

Algorithm describe() {
  Algorithm scatter = kit::dual_of<allgather_lin::describe, kit::combined_counted, kit::never_in_order>(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_lin",
       .summary = "halves of a line are reduced each by itself, then ranks half a line apart hand over what is the "
                  "other's",
       .source = "extra: allgather_lin run backwards",
       .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"}});
  scatter.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return scatter;
}

}  // namespace quadrille::algorithm::reduce_scatter_lin
