// reduce_packed to rank 0, then bcast_packed from there.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/searched_dual.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_packed {

Algorithm describe() {
  return kit::searched_dual<bcast_packed::describe>(
      Collective::allreduce,
      {.name = "allreduce_packed",
       .summary = "shares up as many spanning trees as fit side by side, and their results down the same trees",
       .source = "extra: bcast_packed run backwards, then forwards",
       .closed_form = {.where = "links between ranks, all ports, full duplex: counted"}});
}

}  // namespace quadrille::algorithm::allreduce_packed
