// Recursive doubling: in round t every rank swaps its whole vector with the rank that differs from it in bit t.
// Invariant: before round t rank r holds the combination of the 2^t ranks that agree with it in bits t and above.
#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_doubling {

namespace {

int dimension(const Spec& spec) { return base::log2_floor(spec.ranks()); }

/// log2 P rounds of the whole vector; where a swap takes two, both have ranks that combine.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const int rounds = pattern::rounds_of_swap(spec, machine) * dimension(spec);
  const Bytes bytes = base::checked_multiply(rounds, spec.bytes, "bytes");
  return kit::over_network(spec, {.startups = rounds, .hops = rounds, .bytes = bytes, .combined = bytes});
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params&) {
  const auto peer = [](Round t, Rank r) { return r ^ base::bit(static_cast<int>(t)); };
  return pattern::split_swaps(allreduce::swaps_schedule(spec, dimension(spec), peer), spec, machine);
}

}  // namespace

Algorithm describe() {
  return {
      .name = "allreduce_doubling",
      .collective = Collective::allreduce,
      .summary = "recursive doubling: pairs that differ in one bit swap whole vectors, bit after bit",
      .source = "classical; Thakur, Rabenseifner & Gropp 2005",
      .closed_form = {.startups = "n", .bytes = "n m", .where = "hypercube, full duplex"},
      .parameters = {},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.in_order = true, .canonical = true}; },
      .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_bit_pairs(s); },
      .variants = kit::one_variant,
      .cost = formula,
      .build = build};
}

}  // namespace quadrille::algorithm::allreduce_doubling
