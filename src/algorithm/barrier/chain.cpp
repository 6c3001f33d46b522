// From rank to rank to the first, and back to the last.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_chain {

namespace {

/// Up the tree, and down again.
Algorithm both_ways() {
  return kit::dual_of<bcast_chain::describe, kit::combined_counted>(
      Collective::allreduce, {.name = "", .summary = "", .source = "", .closed_form = {.where = ""}});
}

}  // namespace

Algorithm describe() {
  return barrier::made_of<both_ways>(
      {.name = "barrier_chain",
       .summary = "the word of each rank to the first one, from neighbour to neighbour, and that of all back",
       .source = "extra: bcast_chain run backwards, then forwards",
       .closed_form = {.startups = "2 (P - 1)", .bytes = "2 (P - 1) m", .where = "ring"}});
}

}  // namespace quadrille::algorithm::barrier_chain
