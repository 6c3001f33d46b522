// The message in packets down a binary tree, left child first: with one port, a packet every second round.
#include <algorithm>

#include "algorithm/kit/tree_packets.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/pattern/shift.hpp"

namespace quadrille {

namespace {

Turns turns_of(const Params& params) { return static_cast<Turns>(params.get("turns", 1) - 1); }

/// A rank receives in one round, serves its left child in the next and its right child in the one after: a third of the
/// time for each, if it cannot receive the next packet meanwhile.
Pipe pipe(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t depth = heap_tree(spec, turns_of(params)).depth;
  const Round interval = relay_interval(machine, depth) == 1 ? 2 : std::min<std::int64_t>(3, depth);
  return {depth, spec.bytes, interval};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(),
                       std::max<Rank>(3, spec.ranks()));
  if (spec.ranks() < 3) return "needs at least 3 ranks for a tree with two children; try bcast_chain";
  if (turns_of(params) != Turns::eager && one_way(machine))
    return "turns other than eager make ranks receive while they send, and a rank of this machine does one or the "
           "other; try turns=1 or --set duplex=full";
  return packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm bcast_bintree() {
  return {.name = "bcast_bintree",
          .collective = Collective::bcast,
          .summary = "packets down a binary tree, to the left and the right child by turns",
          .source = "Saad & Schultz 1986, eq. (3.24), (3.25)",
          .parameters = {packets_parameter(), {"turns", "1: eager, 2: alternating, 3: lockstep", false, 1, 3}},
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best_packets(pipe(s, m, {}), s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return over_network(s, pipe_cost(pipe(s, m, p), packets_of(p))); },
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                return tree_schedule(s, heap_tree(s, turns_of(p)), packets_of(p), pipe(s, m, p).interval);
              }};
}

}  // namespace quadrille
