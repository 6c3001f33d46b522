// Every part of each message on a way of an optimal flow, in pieces that go a message further in every round.
#include "algorithm/kit/flow_exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_flow {

Algorithm describe() {
  return kit::flow_exchange(
      Collective::alltoallv,
      {.name = "alltoallv_flow",
       .summary =
           "every part of each message on a way of an optimal flow, in pieces that go a message further in every round",
       .source = "extra: as alltoall_flow, with what demands have",
       .closed_form = {.where = "links between ranks, or through switches of up to 96: counted"}});
}

}  // namespace quadrille::algorithm::alltoallv_flow
