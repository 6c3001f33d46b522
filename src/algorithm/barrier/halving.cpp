// Halves of a line tell each other who has come.
#include "algorithm/barrier/shared/trees.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_halving {

Algorithm describe() {
  return barrier::made_of<barrier::up_and_down<bcast_halving::describe>>(
      {.name = "barrier_halving",
       .summary =
           "halves of a line, or of the lines of a grid, tell each other who has come, to the first rank and back",
       .source = "extra: bcast_halving run backwards, then forwards",
       .closed_form = {.startups = "2 (ceil(log2(R)) + ceil(log2(C)))",
                       .bytes = "2 (ceil(log2(R)) + ceil(log2(C))) m",
                       .where = "torus, circuits"}});
}

}  // namespace quadrille::algorithm::barrier_halving
