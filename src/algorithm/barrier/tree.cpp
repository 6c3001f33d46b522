// Up the shallowest tree of the topology, where all come together, and down again.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_tree {

namespace {

/// Up the tree, and down again.
Algorithm both_ways() {
  return kit::dual_of<bcast_pipelined::describe, kit::combined_counted>(
      Collective::allreduce, {.name = "", .summary = "", .source = "", .closed_form = {.where = ""}});
}

}  // namespace

Algorithm describe() {
  return barrier::made_of<both_ways>(
      {.name = "barrier_tree",
       .summary = "the word of each rank up a tree of shortest ways, and that of all down again",
       .source = "extra: bcast_pipelined run backwards, then forwards",
       .closed_form = {.startups = "2 D", .bytes = "2 D m", .further = "2", .where = "ring"}});
}

}  // namespace quadrille::algorithm::barrier_tree
