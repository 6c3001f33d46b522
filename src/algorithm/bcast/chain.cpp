// The message in packets along a ring through all ranks, one way: the longest way round, but one port is enough.
#include "algorithm/kit/tree_packets.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_chain {

namespace {

kit::Pipe pipe(const Spec& spec, const Machine& machine) {
  const std::int64_t depth = spec.ranks() - 1;
  return {depth, spec.bytes, kit::relay_interval(machine, depth)};
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = pattern::needs_ring(spec); !reason.empty()) return reason;
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return kit::in_packets<pattern::chain_tree, pipe>(
      {.name = "bcast_chain",
       .summary = "packets along a ring through all ranks, one way",
       .source = "Saad & Schultz 1986, eq. (3.16), (3.22)",
       .closed_form = {.startups = "nu + P - 2", .bytes = "m + (P - 2) ceil(m/nu)", .where = "ring"}},
      illegal);
}

}  // namespace quadrille::algorithm::bcast_chain
