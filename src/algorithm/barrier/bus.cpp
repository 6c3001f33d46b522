// One rank after the other tells all others on the bus that it has come.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_bus {
Algorithm describe();
}

namespace quadrille::algorithm::barrier_bus {

Algorithm describe() {
  return barrier::made_of<allreduce_bus::describe>(
      {.name = "barrier_bus",
       .summary = "one rank after the other tells all others on the bus that it has come",
       .source = "extra: meets the bound of a bus",
       .closed_form = {.startups = "P", .bytes = "P m", .where = "bus"}});
}

}  // namespace quadrille::algorithm::barrier_bus
