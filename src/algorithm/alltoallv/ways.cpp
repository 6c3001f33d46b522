// Every chunk of an alltoallv on a way of its own, from neighbour to neighbour, on networks of ranks and links.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::alltoallv,
      {.name = "alltoallv_ways",
       .summary = "every chunk on a way of its own, so that links share what demands put on them; searched for",
       .source = "extra: as alltoall_ways, with chunks of the longest message",
       .closed_form = {.where = "links between ranks, or through switches of up to 96: counted"}});
}

}  // namespace quadrille::algorithm::alltoallv_ways
