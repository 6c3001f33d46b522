// Every chunk from the root on a way of an optimal flow, in pieces that go a message further in every round.
#include "algorithm/kit/flow_exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scatter_flow {

Algorithm describe() {
  return kit::flow_exchange(
      Collective::scatter,
      {.name = "scatter_flow",
       .summary =
           "every chunk from the root on a way of an optimal flow, in pieces that go a message further in every round",
       .source = "extra: as alltoall_flow, with one source",
       .closed_form = {.where = "links between ranks, or through switches of up to 96: counted"}});
}

}  // namespace quadrille::algorithm::scatter_flow
