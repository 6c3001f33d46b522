// Every chunk of a message on a way of its own, on networks of which no other way is known.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::sendrecv_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::sendrecv,
      {.name = "sendrecv_ways",
       .summary = "every chunk of the message on a way of its own, where links that have much are long; searched for",
       .source = "extra: as alltoall_ways, with one pair",
       .closed_form = {.where = "links between ranks, network without algorithms of its own: counted"}});
}

}  // namespace quadrille::algorithm::sendrecv_ways
