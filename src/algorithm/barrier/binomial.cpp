// Up a binomial tree, and down again: every other rank has nothing more to say after one message.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_binomial {

namespace {

/// Up the tree, and down again.
Algorithm both_ways() {
  return kit::dual_of<bcast_binomial::describe, kit::combined_counted>(
      Collective::allreduce, {.name = "", .summary = "", .source = "", .closed_form = {.where = ""}});
}

}  // namespace

Algorithm describe() {
  return barrier::made_of<both_ways>(
      {.name = "barrier_binomial",
       .summary = "the word of each rank up a binomial tree, and that of all down again",
       .source = "classical: Mellor-Crummey & Scott 1991",
       .closed_form = {.startups = "2 ceil(log2(P))", .bytes = "2 ceil(log2(P)) m", .where = "switch"}});
}

}  // namespace quadrille::algorithm::barrier_binomial
