// Every source's data down spanning trees of its own, the more trees the more it has, on any network.
#include "algorithm/kit/forest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_forest {

Algorithm describe() {
  return kit::forest(
      Collective::multibcast,
      {.name = "multibcast_forest",
       .summary =
           "more trees for sources that have more; all share the links, also through switches; they are searched for",
       .source = "extra: Edmonds 1973, Lovasz 1976; switches after Bang-Jensen, Frank and Jackson 1995; Zhao et al. "
                 "2024 (ForestColl)",
       .closed_form = {.where = "full duplex, all ports: counted"}});
}

}  // namespace quadrille::algorithm::multibcast_forest
