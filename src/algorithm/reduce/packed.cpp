// bcast_packed run backwards: shares of the vector up as many spanning trees as fit side by side.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/searched_dual.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_packed {

Algorithm describe() {
  return kit::searched_dual<bcast_packed::describe>(
      Collective::reduce,
      {.name = "reduce_packed",
       .summary = "shares of the vector up as many spanning trees as fit side by side; they are searched for",
       .source = "extra: bcast_packed run backwards",
       .closed_form = {.where = "links between ranks, all ports, full duplex: counted"}});
}

}  // namespace quadrille::algorithm::reduce_packed
