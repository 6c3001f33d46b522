// bcast_pipelined run backwards: packets go up a tree of shortest ways and are combined at each rank.
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::reduce_pipelined {

namespace {

/// In the last nu rounds the root combines a packet from each of its children; before that ranks further down the tree
/// do, which have fewer children.
std::optional<std::int64_t> combined(const Spec& base, const Machine& machine, const Params& params, const Cost&) {
  const std::int64_t packets = kit::packets_of(params);
  if (kit::half_duplex(machine) || base.bytes % packets != 0) return std::nullopt;
  const Bytes packet = base.bytes / packets;
  if (kit::is_cube(base)) {
    const std::int64_t d = kit::dimension(base);
    return (packets * d + d * (d - 1) / 2) * packet;
  }
  if (kit::is_ring(base) && base.ranks() > 2) return (2 * packets + base.ranks() / 2 - 1) * packet;
  return std::nullopt;
}

/// Where every rank of the tree stands for ranks that follow each other: on a mesh those of a row, then rows; on a
/// crossbar single ones; on a ring those on either side of rank 0.
bool in_order(const Spec& spec, const Machine&, const Params& params) {
  if (spec.ranks() <= 2) return true;
  if (!schedule::keeps_order(spec.ranks(), kit::packets_of(params))) return false;
  const topology::Grid* grid = kit::grid(spec);
  return (kit::is_ring(spec) && spec.root == 0) || kit::has_own_wires(spec) || (grid != nullptr && !grid->wraps());
}

Algorithm dual() {
  return kit::dual_of<bcast_pipelined::describe, combined, in_order>(
      Collective::reduce, {.name = "reduce_pipelined",
                           .summary = "packets go up a tree of shortest ways and are combined at each rank",
                           .source = "extra: bcast_pipelined run backwards",
                           .closed_form = {.startups = "nu + D - 1",
                                           .bytes = "m + (D - 1) ceil(m/nu)",
                                           .further = "nu",
                                           .where = "ring, nu divides m"}});
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  static const Algorithm backwards = dual();
  if (kit::is_bus(spec))
    return "a rank of a bus hears one message at a time, and all ranks would send at once; try reduce_bus";
  return backwards.illegal(spec, machine, params);
}

}  // namespace

Algorithm describe() {
  Algorithm reduce = dual();
  reduce.illegal = illegal;
  return reduce;
}

}  // namespace quadrille::algorithm::reduce_pipelined
