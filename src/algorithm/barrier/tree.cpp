// Up the shallowest tree of the topology, where all come together, and down again.
#include "algorithm/barrier/shared/trees.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_tree {

Algorithm describe() {
  return barrier::made_of<barrier::up_and_down<bcast_pipelined::describe>>(
      {.name = "barrier_tree",
       .summary = "the word of each rank up a tree of shortest ways, and that of all down again",
       .source = "extra: bcast_pipelined run backwards, then forwards",
       .closed_form = {.startups = "2 D", .bytes = "2 D m", .further = "2", .where = "ring"}});
}

}  // namespace quadrille::algorithm::barrier_tree
