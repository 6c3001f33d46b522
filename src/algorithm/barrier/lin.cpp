// Up the tree of bcast_lin, where halves of a line meet, and down again. What meets on wires on the way up is counted.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_lin {

namespace {

Algorithm both_ways() {
  Algorithm algorithm = kit::dual_of<bcast_lin::describe, kit::combined_counted>(
      Collective::allreduce, {.name = "", .summary = "", .source = "", .closed_form = {.where = ""}});
  algorithm.claims = [](const Spec&, const Machine&, const Params&) {
    return Claims{.contention_free = false, .exact = false, .port_free = false};
  };
  return algorithm;
}

}  // namespace

Algorithm describe() {
  return barrier::made_of<both_ways>(
      {.name = "barrier_lin",
       .summary = "halves of a line tell each other who has come, up to the first rank and down again",
       .source = "extra: bcast_lin run backwards, then forwards",
       .closed_form = {.where = "2 ceil(log2(P)) start-ups; what meets on wires is counted"}});
}

}  // namespace quadrille::algorithm::barrier_lin
