// Recursive halving: pairs of ranks that differ in one bit swap the parts of the vector that the other's side wants,
// bit after bit. From the lowest bit on contributions are those of aligned runs of ranks and keep their order; from
// the highest on messages are runs of memory.
#include "algorithm/kit/duality.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_halving {

Algorithm describe() {
  return reduce_scatter::by_halves(
      Collective::reduce_scatter,
      {.name = "reduce_scatter_halving",
       .summary = "recursive halving: pairs that differ in one bit swap halves of what is left, bit after bit",
       .source = "classical; Rabenseifner 2004",
       .closed_form = {.startups = "n", .bytes = "(P - 1) m", .where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::reduce_scatter_halving
