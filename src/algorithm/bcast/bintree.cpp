// The message in packets down a binary tree, left child first: with one port, a packet every second round.
#include <algorithm>

#include "algorithm/kit/tree_packets.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_bintree {

namespace {

pattern::Turns turns_of(const Params& params) { return static_cast<pattern::Turns>(params.get("turns", 1) - 1); }

/// A rank receives in one round, serves its left child in the next and its right child in the one after: a third of the
/// time for each, if it cannot receive the next packet meanwhile.
kit::Pipe pipe(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t depth = pattern::heap_tree(spec, turns_of(params)).depth;
  const Round interval = kit::relay_interval(machine, depth) == 1 ? 2 : std::min<std::int64_t>(3, depth);
  return {depth, spec.bytes, interval};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(),
                       std::max<Rank>(3, spec.ranks()));
  if (spec.ranks() < 3) return "needs at least 3 ranks for a tree with two children; try bcast_chain";
  if (turns_of(params) != pattern::Turns::eager && pattern::one_way(machine))
    return "turns other than eager make ranks receive while they send, and a rank of this machine does one or the "
           "other; try turns=1 or --set duplex=full";
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_bintree",
      .collective = Collective::bcast,
      .summary = "packets down a binary tree, to the left and the right child by turns",
      .source = "Saad & Schultz 1986, eq. (3.24), (3.25)",
      .closed_form = {.startups = "2 (nu - 1) + 2 (n - 1)",
                      .bytes = "(2 (nu - 1) + 2 (n - 1)) m/nu",
                      .where = "switch, P = 2^n > 2, nu divides m"},
      .parameters = {kit::packets_parameter(),
                     {.name = "turns", .meaning = "1: eager, 2: alternating, 3: lockstep", .high = 3}},
      .claims = kit::all_claims,
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return std::vector{Params{{"packets", {kit::best_packets(pipe(s, m, {}), s, m)}}}};
          },
      .cost = [](const Spec& s, const Machine& m,
                 const Params& p) { return kit::over_network(s, kit::pipe_cost(pipe(s, m, p), kit::packets_of(p))); },
      .build =
          [](const Spec& s, const Machine& m, const Params& p) {
            return pattern::tree_schedule(s, pattern::heap_tree(s, turns_of(p)), kit::packets_of(p),
                                          pipe(s, m, p).interval);
          }};
}

}  // namespace quadrille::algorithm::bcast_bintree
