// Up a binomial tree, and down again: every other rank has nothing more to say after one message.
#include "algorithm/barrier/shared/trees.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_binomial {

Algorithm describe() {
  return barrier::made_of<barrier::up_and_down<bcast_binomial::describe>>(
      {.name = "barrier_binomial",
       .summary = "the word of each rank up a binomial tree, and that of all down again",
       .source = "classical: Mellor-Crummey & Scott 1991",
       .closed_form = {.startups = "2 ceil(log2(P))", .bytes = "2 ceil(log2(P)) m", .where = "switch"}});
}

}  // namespace quadrille::algorithm::barrier_binomial
