// bcast_circulant run backwards: packets over a circulant graph in as few rounds as can be, for any number of ranks.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_circulant {

namespace {

bool in_order(const Spec& spec, const Machine&, const Params&) { return spec.ranks() <= 2; }

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_circulant::describe, kit::combined_as_sent, in_order>(
      Collective::reduce,
      {.name = "reduce_circulant",
       .summary = "packets over a circulant graph in as few rounds as can be, for any number of ranks",
       .source = "Traeff 2023; bcast_circulant run backwards",
       .closed_form = {.startups = "nu - 1 + ceil(log2(P))",
                       .bytes = "(nu - 1 + ceil(log2(P))) m/nu",
                       .where = "switch, nu divides m"}});
}

}  // namespace quadrille::algorithm::reduce_circulant
