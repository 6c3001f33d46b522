// reduce_adst, then bcast_adst.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_adst {

Algorithm describe() {
  return kit::dual_of<bcast_adst::describe, kit::combined_counted, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_adst",
       .summary = "parts up edge-disjoint trees to rank 0, and their results down the same trees",
       .source = "extra: bcast_adst run backwards, then forwards",
       .closed_form = {.where = "as bcast_adst"}});
}

}  // namespace quadrille::algorithm::allreduce_adst
