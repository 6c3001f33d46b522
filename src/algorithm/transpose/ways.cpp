// Every chunk on a way of its own to the rank across the diagonal, so that all links share the work.
#include "algorithm/kit/searched_ways.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::transpose_ways {

Algorithm describe() {
  return kit::searched_ways(
      Collective::transpose,
      {.name = "transpose_ways",
       .summary = "every chunk on a way of its own to the rank across the diagonal; searched for",
       .source = "extra: as alltoall_ways, with one target for each rank",
       .closed_form =
           {.where = "links between ranks; through switches, or past ranks with one port, up to 96 ranks: counted"},
       .literature = {
           {.families = {"omega", "fly"},
            .says = "linear in the bits of a rank, it passes in two rounds by way of other ranks, at 1.29 times the "
                    "bound: Keohane & Stearns"},
           {.families = {"mesh"}, .says = "by neighbours in as few rounds as can be: Kaufmann, Meyer & Sibeyn 1997"},
           {.families = {"hypercube"},
            .says = "by neighbours over several paths at once, to the bound in start-ups and in volume: "
                    "Johnsson & Ho 1988"}}});
}

}  // namespace quadrille::algorithm::transpose_ways
