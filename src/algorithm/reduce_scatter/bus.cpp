// On a bus one rank after the other sends the blocks of its vector, and every rank combines what is for it, in rank
// order.
#include "algorithm/reduce_scatter/shared/bus.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_bus {

Algorithm describe() {
  return reduce_scatter::on_bus(Collective::reduce_scatter,
                                {.name = "reduce_scatter_bus",
                                 .summary = "one rank after the other sends the others their blocks over the bus",
                                 .source = "extra: meets the bound of a bus",
                                 .closed_form = {.startups = "P", .bytes = "P (P - 1) m", .where = "bus"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_bus
