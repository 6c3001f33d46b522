// The message in packets down the topology's broadcast tree: every rank passes each packet to all its children in the
// round after it came.
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"
#include "algorithm/tree.hpp"

namespace quadrille {

namespace {

Pipe pipe(const Spec& spec, const Machine& machine) {
  const std::int64_t depth = broadcast_tree(spec).depth;
  return {depth, spec.bytes, relay_interval(machine, depth)};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = needs_tree(spec); !reason.empty()) return reason;
  if (broadcast_tree(spec).fanout > 1 && machine.ports == Ports::one && !machine.multicast)
    return "sends a packet to several children at once, and this machine has one port and no multicast; try "
           "bcast_chain "
           "or --set ports=all";
  return packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm bcast_pipelined() {
  return {
      .name = "bcast_pipelined",
      .collective = Collective::bcast,
      .summary = "packets down the topology's broadcast tree, to all children at once",
      .source = "Saad & Schultz 1986, eq. (3.17), (3.18), (3.21); 1985, eq. (2.2)",
      .parameters = {packets_parameter()},
      .claims = all_claims,
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return std::vector{Params{{"packets", {best_packets(pipe(s, m), s, m)}}}};
          },
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return pipe_cost(pipe(s, m), packets_of(p)); },
      .build = [](const Spec& s, const Machine& m,
                  const Params& p) { return tree_schedule(s, broadcast_tree(s), packets_of(p), pipe(s, m).interval); }};
}

}  // namespace quadrille
