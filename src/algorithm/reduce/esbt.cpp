// bcast_esbt run backwards: n parts of the vector up n edge-disjoint binomial trees.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_esbt {

namespace {

/// In every round some rank combines a packet from each of its links, but where there is one packet for each tree.
std::optional<std::int64_t> combined(const Spec& base, const Machine& machine, const Params& params, const Cost& cost) {
  const std::int64_t d = kit::dimension(base);
  const std::int64_t packets = kit::packets_of(params);
  if (kit::half_duplex(machine) || packets == 1 || base.bytes % (d * packets) != 0) return std::nullopt;
  return base::checked_multiply(d, cost.bytes, "elements combined");
}

bool in_order(const Spec& spec, const Machine&, const Params&) { return spec.ranks() <= 2; }

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_esbt::describe, combined, in_order>(
      Collective::reduce, {.name = "reduce_esbt",
                           .summary = "n parts of the vector up n edge-disjoint binomial trees",
                           .source = "Johnsson & Ho 1989; bcast_esbt run backwards",
                           .closed_form = {.startups = "nu + n",
                                           .bytes = "(nu + n) m/(n nu)",
                                           .further = "(n - 1) (nu + n)",
                                           .where = "hypercube, full duplex, n nu divides m"}});
}

}  // namespace quadrille::algorithm::reduce_esbt
