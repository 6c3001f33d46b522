// Up the tree of bcast_lin, where halves of a line meet, and down again. What meets on wires on the way up is counted.
#include "algorithm/barrier/shared/trees.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_lin {

Algorithm describe() {
  Algorithm barrier = barrier::made_of<barrier::up_and_down<bcast_lin::describe>>(
      {.name = "barrier_lin",
       .summary = "halves of a line tell each other who has come, up to the first rank and down again",
       .source = "extra: bcast_lin run backwards, then forwards",
       .closed_form = {.where = "2 ceil(log2(P)) start-ups; what meets on wires is counted"}});
  barrier.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return barrier;
}

}  // namespace quadrille::algorithm::barrier_lin
