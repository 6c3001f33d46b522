// Shares of the vector up spanning trees of any network, also through switches and where links lead one way.
#include "algorithm/kit/forest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_forest {

Algorithm describe() {
  return kit::forest(Collective::reduce,
                     {.name = "reduce_forest",
                      .summary = "shares of the vector up spanning trees that share the links; they are searched for",
                      .source = "extra: bcast_forest on the network the other way round, run backwards",
                      .closed_form = {.where = "full duplex, all ports: counted"}});
}

}  // namespace quadrille::algorithm::reduce_forest
