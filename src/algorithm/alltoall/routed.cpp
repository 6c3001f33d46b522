// What runs on a crossbar, message by message on the network's routes.
#include "algorithm/kit/routed.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_routed {

Algorithm describe() {
  return kit::routed(Collective::alltoall,
                     {.name = "alltoall_routed",
                      .summary = "an algorithm for a crossbar on routes past ranks; rounds are searched for",
                      .source = "extra: list scheduling, each message as early as links and ports let it",
                      .closed_form = {.where = "hypercube, ring, mesh, torus: counted on the routes"}});
}

}  // namespace quadrille::algorithm::alltoall_routed
