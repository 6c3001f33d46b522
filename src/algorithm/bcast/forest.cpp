// Shares of the message down spanning trees that share the links of any network, also through switches.
#include "algorithm/kit/forest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_forest {

Algorithm describe() {
  return kit::forest(Collective::bcast, {.name = "bcast_forest",
                                         .summary = "shares down spanning trees that fit the links as they are wide, "
                                                    "also through switches; they are searched for",
                                         .source = "extra: Edmonds 1973, Lovasz 1976; switches after Bang-Jensen, "
                                                   "Frank and Jackson 1995; Zhao et al. 2024 (ForestColl)",
                                         .closed_form = {.where = "full duplex, all ports: counted"}});
}

}  // namespace quadrille::algorithm::bcast_forest
