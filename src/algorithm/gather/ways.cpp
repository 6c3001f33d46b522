// Every chunk on a way of its own to the root, on networks of which no other gather knows: the scatter backwards.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::gather_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::gather,
      {.name = "gather_ways",
       .summary = "every chunk to the root on a way of its own: scatter_ways over the links the other way, the last "
                  "round first",
       .source = "extra: as scatter_ways",
       .closed_form = {.where = "links between ranks: counted"}});
}

}  // namespace quadrille::algorithm::gather_ways
