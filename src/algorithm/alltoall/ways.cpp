// Every chunk on a way of its own, from neighbour to neighbour, chosen so that no link has much more than its share:
// where chunks wait for a link, those go first whose links ahead have most to do.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::alltoall,
      {.name = "alltoall_ways",
       .summary = "every chunk on a way of its own, chosen so that no link has more than its share; searched for",
       .source = "extra: rerouting under exponential lengths (Garg & Koenemann 1998), most to do ahead first",
       .closed_form = {
           .where = "links between ranks; through switches, or past ranks with one port, up to 96 ranks: counted"}});
}

}  // namespace quadrille::algorithm::alltoall_ways
