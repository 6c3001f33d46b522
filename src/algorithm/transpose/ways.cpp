// Every chunk on a way of its own to the rank across the diagonal, on networks of which no other transpose knows.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::transpose_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::transpose,
      {.name = "transpose_ways",
       .summary = "every chunk on a way of its own to the rank across the diagonal; searched for",
       .source = "extra: as alltoall_ways, with one target for each rank",
       .closed_form = {.where = "links between ranks, network without algorithms of its own: counted"}});
}

}  // namespace quadrille::algorithm::transpose_ways
