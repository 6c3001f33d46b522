// What runs on a line of ranks or on a crossbar, message by message on the network's routes.
#include "algorithm/kit/routed.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_routed {

Algorithm describe() {
  return kit::routed(Collective::allreduce,
                     {.name = "allreduce_routed",
                      .summary = "an algorithm for a line of ranks or a crossbar on any network's routes; rounds are "
                                 "searched for",
                      .source = "extra: list scheduling, each message as early as links and ports let it",
                      .closed_form = {.where = "any network but a bus or memory: counted on the routes"}});
}

}  // namespace quadrille::algorithm::allreduce_routed
