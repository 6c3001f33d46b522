// On a bus one rank after the other sends its vector, which all hear and combine, in rank order.
#include "algorithm/reduce_scatter/shared/bus.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_bus {

Algorithm describe() {
  return reduce_scatter::on_bus(
      Collective::allreduce, {.name = "allreduce_bus",
                              .summary = "one rank after the other sends its vector over the bus, and all combine it",
                              .source = "extra: meets the bound of a bus",
                              .closed_form = {.startups = "P", .bytes = "P m", .where = "bus"}});
}

}  // namespace quadrille::algorithm::allreduce_bus
