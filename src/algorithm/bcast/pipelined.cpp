// The message in packets down the topology's broadcast tree: every rank passes each packet to all its children in the
// round after it came.
#include "algorithm/kit/tree_packets.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_pipelined {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::needs_tree(spec); !reason.empty()) return reason;
  if (std::string reason = pattern::needs_fanout(spec, machine, pattern::broadcast_tree(spec), "bcast_chain");
      !reason.empty())
    return reason;
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return kit::in_packets<pattern::broadcast_tree, pattern::broadcast_pipe>(
      {.name = "bcast_pipelined",
       .summary = "packets down the topology's broadcast tree, to all children at once",
       .source = "Saad & Schultz 1986, eq. (3.17), (3.18), (3.21); 1985, eq. (2.2)",
       .closed_form = {.startups = "nu + D - 1", .bytes = "m + (D - 1) ceil(m/nu)", .further = "nu", .where = "ring"}},
      illegal);
}

}  // namespace quadrille::algorithm::bcast_pipelined
