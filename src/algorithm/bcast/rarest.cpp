// The message in many parts; every rank takes from each neighbour, round after round, the part that the fewest ranks
// have. Parts spread as down trees that share no link, and arrive as early as the network lets them.
#include "algorithm/kit/searched.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_rarest {

Algorithm describe() {
  return kit::rarest_first(
      Collective::bcast,
      {.name = "bcast_rarest",
       .summary = "every rank takes from each neighbour the part that the fewest have; rounds are searched for",
       .source = "extra: greedy on the time-expanded network, as Won et al. 2024 (TACOS) do it by chance",
       .closed_form = {.where = "links between ranks: counted; at least chunks / least degree + diameter - 1 rounds"}});
}

}  // namespace quadrille::algorithm::bcast_rarest
