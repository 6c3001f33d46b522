// From the root both ways round a ring through all ranks, the farthest blocks first.
#include "algorithm/order.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

Round interval(const Spec& spec, const Machine& machine) { return relay_interval(machine, spec.ranks() / 2); }

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = needs_ring(spec); !reason.empty()) return reason;
  if (spec.ranks() == 2 || machine.ports == Ports::all) return {};
  return fmt::format("the root uses two links at once, and this machine has one port; try {}_chain or --set ports=all",
                     to_string(spec.collective));
}

}  // namespace

Algorithm scatter_twoway() {
  return {.name = "scatter_twoway",
          .collective = Collective::scatter,
          .summary = "both ways round a ring through all ranks, one block a message, farthest first",
          .source = "Saad & Schultz 1986, eq. (3.38)",
          .parameters = {},
          .claims = all_claims,
          .illegal = illegal,
          .variants = one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return scatter_chain_cost(s.bytes, s.ranks() / 2, interval(s, m)); },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const Rank p = s.ranks();
                return relabel(scatter_chain_schedule(p, s.bytes, p / 2, (p - 1) / 2, interval(s, m)),
                               ring_order(s, s.root));
              }};
}

}  // namespace quadrille
