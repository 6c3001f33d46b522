// From rank to rank to the first, and back to the last.
#include "algorithm/barrier/shared/trees.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_chain {

Algorithm describe() {
  return barrier::made_of<barrier::up_and_down<bcast_chain::describe>>(
      {.name = "barrier_chain",
       .summary = "the word of each rank to the first one, from neighbour to neighbour, and that of all back",
       .source = "extra: bcast_chain run backwards, then forwards",
       .closed_form = {.startups = "2 (P - 1)", .bytes = "2 (P - 1) m", .where = "ring"}});
}

}  // namespace quadrille::algorithm::barrier_chain
