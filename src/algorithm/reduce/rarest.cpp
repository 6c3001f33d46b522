// bcast_rarest run backwards: on any network of links between ranks.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/searched_dual.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_rarest {

Algorithm describe() {
  return kit::searched_dual<bcast_rarest::describe>(
      Collective::reduce,
      {.name = "reduce_rarest",
       .summary = "contributions come together on the ways on which bcast_rarest spreads parts of a message",
       .source = "extra: bcast_rarest run backwards",
       .closed_form = {.where = "links between ranks: counted; at least chunks / least degree + diameter - 1 rounds"}});
}

}  // namespace quadrille::algorithm::reduce_rarest
