// reduce_interval to rank 0, and a binomial tree down again: the canonical expression for any number of ranks.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_interval {
Algorithm describe();
}

namespace quadrille::algorithm::allreduce_interval {

namespace {

Spec to_rank_0(const Spec& spec) {
  Spec reduce = spec;
  reduce.collective = Collective::reduce;
  reduce.root = 0;
  return reduce;
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  static const Algorithm up = reduce_interval::describe(), down = bcast_binomial::describe();
  const schedule::Vector vector{.element = spec.element};
  return schedule::then(
      up.build(to_rank_0(spec), machine, params),
      schedule::of_elements(down.build(kit::in_elements(to_rank_0(spec), Collective::bcast), machine, params), vector));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "allreduce_interval",
      .collective = Collective::allreduce,
      .summary = "halves of the ranks are combined, halving after halving, and the result goes down a binomial tree",
      .source = "extra",
      .closed_form = {.startups = "2 ceil(log2(P))", .bytes = "2 ceil(log2(P)) m", .where = "crossbar"},
      .parameters = {},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.in_order = true, .canonical = true}; },
      .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_crossbar(s); },
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine&, const Params&) {
            const int rounds = base::log2_ceil(s.ranks());
            return kit::whole_vectors(s, 2 * rounds, rounds);
          },
      .build = build};
}

}  // namespace quadrille::algorithm::allreduce_interval
