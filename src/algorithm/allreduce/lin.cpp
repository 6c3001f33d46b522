// reduce_scatter_lin, then allgather_lin. Ways back may be others than the ways there, so what meets on wires is
// counted.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_lin {

Algorithm describe() {
  Algorithm both = kit::dual_of<allgather_lin::describe, kit::combined_counted, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_lin",
       .summary = "halves of a line are reduced each by itself, then ranks half a line apart hand over what is the "
                  "other's; and back, with results",
       .source = "extra: allgather_lin run backwards, then forwards",
       .closed_form = {.where = "at most 2 ceil(log2(R)) + 2 ceil(log2(C)) start-ups; counted"}});
  both.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return both;
}

}  // namespace quadrille::algorithm::allreduce_lin
