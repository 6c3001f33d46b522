// bcast_relayed run backwards: parts of the vector meet at all other ranks, and these send the root their sums.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_relayed {

namespace {

/// In the first round every rank combines a packet from all but the root, then the root one from each.
std::optional<std::int64_t> combined(const Spec& base, const Machine& machine, const Params& params, const Cost&) {
  const std::int64_t others = base.ranks() - 1, packets = kit::packets_of(params);
  if (kit::half_duplex(machine) || base.bytes % (others * packets) != 0) return std::nullopt;
  return (others - 1 + packets * others) * (base.bytes / (others * packets));
}

bool in_order(const Spec& spec, const Machine&, const Params&) { return spec.ranks() <= 2; }

}  // namespace

Algorithm describe() {
  return kit::dual_of<bcast_relayed::describe, combined, in_order>(
      Collective::reduce, {.name = "reduce_relayed",
                           .summary = "parts of the vector meet at all other ranks, and these send the root their sums",
                           .source = "extra: bcast_relayed run backwards",
                           .closed_form = {.where = "as bcast_relayed"}});
}

}  // namespace quadrille::algorithm::reduce_relayed
