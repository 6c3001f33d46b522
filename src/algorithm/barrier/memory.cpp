// Every rank but the first writes that it has come; the first reads that, and writes it for all.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_memory {
Algorithm describe();
}

namespace quadrille::algorithm::barrier_memory {

namespace {

/// Waves of as many ranks as the memory serves, in which the first rank has no part. It reads P - 1 bytes, one after
/// the other, from as many places.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank others = spec.ranks() - 1;
  const Round waves = machine.shared == 1 ? others : base::ceil_div(others + 1, machine.shared);
  Cost cost = kit::neighbour_cost(2 * waves + 2, 2 * waves + others + 1);
  cost.combined = others;
  cost.packed = others > 1 ? others : 0;
  return cost;
}

}  // namespace

Algorithm describe() {
  Algorithm barrier = barrier::made_of<allreduce_memory::describe>(
      {.name = "barrier_memory",
       .summary = "ranks write that they have come, one reads it, and writes that all have",
       .source = "extra",
       .closed_form = {.startups = "2 P", .bytes = "3 P - 2", .where = "memory"}});
  barrier.cost = formula;
  barrier.claims = [](const Spec&, const Machine&, const Params&) { return Claims{}; };
  return barrier;
}

}  // namespace quadrille::algorithm::barrier_memory
