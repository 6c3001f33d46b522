// Every chunk on a way of an optimal flow, in pieces that go one message further in every round: links are busy evenly
// in all rounds but the first and the last few.
#include "algorithm/kit/flow_exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_flow {

Algorithm describe() {
  return kit::flow_exchange(
      Collective::alltoall,
      {.name = "alltoall_flow",
       .summary = "every chunk on a way of an optimal flow, in pieces that go a message further in every round",
       .source = "extra: multicommodity flow by Dantzig & Wolfe 1960, played as a pipeline in steady state",
       .closed_form = {.where = "links between ranks, or through switches of up to 96: counted"}});
}

}  // namespace quadrille::algorithm::alltoall_flow
