// Every chunk of an alltoallv on a way of its own, by way of other ranks.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::alltoallv,
      {.name = "alltoallv_ways",
       .summary = "every chunk on a way of its own, so that links share what demands put on them; searched for",
       .source = "extra: as alltoall_ways, with chunks of the longest message",
       .closed_form = {
           .where = "links between ranks; through switches, or past ranks with one port, up to 96 ranks: counted"}});
}

}  // namespace quadrille::algorithm::alltoallv_ways
