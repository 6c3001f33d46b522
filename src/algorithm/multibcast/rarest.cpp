// Every rank takes from each neighbour, round after round, the part of a message that the fewest ranks have: on any
// network of links between ranks.
#include "algorithm/kit/searched.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_rarest {

Algorithm describe() {
  return kit::rarest_first(
      Collective::multibcast,
      {.name = "multibcast_rarest",
       .summary = "every rank takes from each neighbour the part that the fewest have; rounds are searched for",
       .source = "extra: greedy on the time-expanded network, as Won et al. 2024 (TACOS) do it by chance",
       .closed_form = {.where = "links between ranks: counted"}});
}

}  // namespace quadrille::algorithm::multibcast_rarest
