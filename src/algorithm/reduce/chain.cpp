// bcast_chain run backwards: packets go one way through all ranks to the root and are combined at each.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_chain {

namespace {

/// Where the way through all ranks is that of their numbers, and the root is at an end of it.
bool in_order(const Spec& spec, const Machine&, const Params&) {
  if (spec.ranks() <= 2) return true;
  if (spec.root != 0 && spec.root != spec.ranks() - 1) return false;
  const schedule::Renaming ring = pattern::ring_order(spec);
  for (Rank r = 0; r < spec.ranks(); ++r)
    if (ring.to(r) != r) return false;
  return true;
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_chain::describe, kit::combined_as_sent, in_order>(
      Collective::reduce,
      {.name = "reduce_chain",
       .summary = "packets go one way through all ranks to the root and are combined at each",
       .source = "extra: bcast_chain run backwards",
       .closed_form = {.startups = "nu + P - 2", .bytes = "m + (P - 2) ceil(m/nu)", .where = "ring"}});
}

}  // namespace quadrille::algorithm::reduce_chain
