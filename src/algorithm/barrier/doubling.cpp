// Pairs that differ in one bit tell each other who has come, bit after bit.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_doubling {
Algorithm describe();
}

namespace quadrille::algorithm::barrier_doubling {

Algorithm describe() {
  return barrier::made_of<allreduce_doubling::describe>(
      {.name = "barrier_doubling",
       .summary = "pairs that differ in one bit tell each other who has come, bit after bit",
       .source = "classical: the butterfly barrier, Brooks 1986",
       .closed_form = {.startups = "n", .bytes = "n m", .where = "hypercube, full duplex"}});
}

}  // namespace quadrille::algorithm::barrier_doubling
