// The message in packets down a binary tree, left child first: with one port, a packet every second round.
#include "algorithm/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"
#include "algorithm/tree.hpp"

namespace quadrille {

namespace {

/// A rank receives in one round, serves its left child in the next and its right child in the one after: a third of the
/// time for each, if it cannot receive the next packet meanwhile.
Pipe pipe(const Spec& spec, const Machine& machine) {
  const std::int64_t depth = heap_tree(spec).depth;
  const Round interval = relay_interval(machine, depth) == 1 ? 2 : std::min<std::int64_t>(3, depth);
  return {depth, spec.bytes, interval};
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (!as<Crossbar>(spec))
    return fmt::format("needs a crossbar, and {} is not one; nearest: crossbar:{}", spec.topology->text(),
                       spec.ranks());
  if (spec.ranks() < 3) return "needs at least 3 ranks for a tree with two children; try bcast_chain";
  return packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm bcast_bintree() {
  return {.name = "bcast_bintree",
          .collective = Collective::bcast,
          .summary = "packets down a binary tree, to the left and the right child by turns",
          .source = "Saad & Schultz 1986, eq. (3.24), (3.25)",
          .parameters = {packets_parameter()},
          .claims = all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best_packets(pipe(s, m), s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return pipe_cost(pipe(s, m), packets_of(p)); },
          .build = [](const Spec& s, const Machine& m,
                      const Params& p) { return tree_schedule(s, heap_tree(s), packets_of(p), pipe(s, m).interval); }};
}

}  // namespace quadrille
