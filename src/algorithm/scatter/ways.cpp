// Every chunk on a way of its own from the root, on networks of which no other scatter knows.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scatter_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::scatter,
      {.name = "scatter_ways",
       .summary = "every chunk from the root on a way of its own, those first with most to do ahead; searched for",
       .source = "extra: as alltoall_ways, with one source",
       .closed_form = {.where = "links between ranks: counted"}});
}

}  // namespace quadrille::algorithm::scatter_ways
