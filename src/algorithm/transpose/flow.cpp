// Every chunk on a way of an optimal flow to the rank across the diagonal, in pieces that follow each other.
#include "algorithm/kit/flow_exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::transpose_flow {

Algorithm describe() {
  return kit::flow_exchange(
      Collective::transpose,
      {.name = "transpose_flow",
       .summary =
           "every chunk on a way of an optimal flow to the rank across the diagonal, in pieces that follow each other",
       .source = "extra: as alltoall_flow, with one target for each rank",
       .closed_form = {.where = "links between ranks, or through switches of up to 96: counted"}});
}

}  // namespace quadrille::algorithm::transpose_flow
