// The message in packets along a ring through all ranks, one way: the longest way round, but one port is enough.
#include "algorithm/order.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"
#include "algorithm/tree.hpp"

namespace quadrille {

namespace {

Pipe pipe(const Spec& spec, const Machine& machine) {
  const std::int64_t depth = spec.ranks() - 1;
  return {depth, spec.bytes, relay_interval(machine, depth)};
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = needs_ring(spec); !reason.empty()) return reason;
  return packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm bcast_chain() {
  return {.name = "bcast_chain",
          .collective = Collective::bcast,
          .summary = "packets along a ring through all ranks, one way",
          .source = "Saad & Schultz 1986, eq. (3.16), (3.22)",
          .parameters = {packets_parameter()},
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best_packets(pipe(s, m), s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return pipe_cost(pipe(s, m), packets_of(p)); },
          .build = [](const Spec& s, const Machine& m,
                      const Params& p) { return tree_schedule(s, chain_tree(s), packets_of(p), pipe(s, m).interval); }};
}

}  // namespace quadrille
