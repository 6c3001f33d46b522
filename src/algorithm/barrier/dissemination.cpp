// In round t every rank tells the rank 2^t on who has come: itself, the 2^t - 1 ranks before it, and who is counted
// again where the ranks are no power of two. Nobody waits for a result to come back.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/kit/vectors.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::barrier_dissemination {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = kit::needs_switch(spec); !reason.empty()) return reason;
  const Rank p = spec.ranks();
  if (base::is_power_of_two(p) && pattern::shift_splits(spec, machine, p / 2))
    return "ranks half of all apart tell each other at once, and wires or ranks of this machine work one way at a "
           "time; "
           "try barrier_binomial or --set duplex=full";
  return kit::needs_both_ways(spec, machine, "barrier_binomial");
}

SchedulePtr build(const Spec& spec, const Machine&, const Params&) {
  return barrier::talks_schedule(spec, base::log2_ceil(spec.ranks()), [p = spec.ranks()](Round t, Rank r) {
    const Rank distance = base::bit(static_cast<int>(t));
    return barrier::Talk{{(r + distance) % p}, {base::wrap(r - distance, p)}};
  });
}

}  // namespace

Algorithm describe() {
  return {.name = "barrier_dissemination",
          .collective = Collective::barrier,
          .summary = "every rank tells the rank 1, 2, 4 ... on who has come, as far as it knows",
          .source = "Hensgen, Finkel & Manber 1988",
          .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "switch"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.identical = Identical::no}; },
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return barrier::talks_cost(s, m, base::log2_ceil(s.ranks()), 1); },
          .build = build};
}

}  // namespace quadrille::algorithm::barrier_dissemination
