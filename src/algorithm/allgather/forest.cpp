// Every block down spanning trees of its own, which share the links of any network, also through switches.
#include "algorithm/kit/forest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_forest {

Algorithm describe() {
  return kit::forest(
      Collective::allgather,
      {.name = "allgather_forest",
       .summary = "every block down spanning trees of its own that share all links; they are searched for",
       .source = "extra: Edmonds 1973, Lovasz 1976; switches after Bang-Jensen, Frank and Jackson 1995; Zhao et al. "
                 "2024 (ForestColl)",
       .closed_form = {.where = "full duplex, all ports: counted"}});
}

}  // namespace quadrille::algorithm::allgather_forest
