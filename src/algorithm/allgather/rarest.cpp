// Every rank takes from each neighbour, round after round, the block that the fewest ranks have: on any network of
// links between ranks, also where links have failed or differ.
#include "algorithm/kit/searched.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_rarest {

Algorithm describe() {
  return kit::rarest_first(
      Collective::allgather,
      {.name = "allgather_rarest",
       .summary = "every rank takes from each neighbour the block that the fewest have; rounds are searched for",
       .source = "extra: greedy on the time-expanded network, as Won et al. 2024 (TACOS) do it by chance",
       .closed_form = {.where = "links between ranks: counted; at least (P - 1) / degree rounds"}});
}

}  // namespace quadrille::algorithm::allgather_rarest
