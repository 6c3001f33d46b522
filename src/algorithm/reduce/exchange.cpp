// bcast_exchange run backwards: packets along one dimension after the other, for ranks with one port.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_exchange {

namespace {

bool in_order(const Spec& spec, const Machine&, const Params&) { return spec.ranks() <= 2; }

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_exchange::describe, kit::combined_as_sent, in_order>(
      Collective::reduce,
      {.name = "reduce_exchange",
       .summary = "packets along one dimension after the other, one in every round: one port is enough",
       .source = "Traeff & Ripke 2008, for P = 2^D; bcast_exchange run backwards",
       .closed_form = {.startups = "nu + n - 1",
                       .bytes = "(nu + n - 1) m/nu",
                       .where = "hypercube or bifly, full duplex, nu divides m"}});
}

}  // namespace quadrille::algorithm::reduce_exchange
