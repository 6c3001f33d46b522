// Every chunk on a way of its own, from neighbour to neighbour, chosen so that no link has much more than its share:
// where chunks wait for a link, those go first that have farthest to go.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::alltoall,
      {.name = "alltoall_ways",
       .summary = "every chunk on a way of its own, chosen so that no link has more than its share; searched for",
       .source = "extra: rerouting under exponential lengths (Garg & Koenemann 1998), farthest to go first",
       .closed_form = {.where = "links between ranks: counted; at least the bound's rounds"}});
}

}  // namespace quadrille::algorithm::alltoall_ways
