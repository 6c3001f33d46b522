// Every chunk of an alltoallv on a way of an optimal flow, in pieces that follow each other.
#include "algorithm/kit/flow_exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_flow {

Algorithm describe() {
  return kit::flow_exchange(
      Collective::alltoallv,
      {.name = "alltoallv_flow",
       .summary = "every chunk on a way of an optimal flow of the demands, in pieces that follow each other",
       .source = "extra: as alltoall_flow, with chunks of the longest message",
       .closed_form = {.where = "links between ranks, or through switches of up to 96: counted"}});
}

}  // namespace quadrille::algorithm::alltoallv_flow
