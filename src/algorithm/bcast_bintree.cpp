// The message in packets down a binary tree, left child first: with one port, a packet every second round.
#include <algorithm>

#include "algorithm/packets.hpp"
#include "algorithm/registry.hpp"

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
                       std::max<Rank>(3, spec.ranks()));
  if (spec.ranks() < 3) return "needs at least 3 ranks for a tree with two children; try bcast_chain";
  return packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm bcast_bintree() {
  return in_packets<heap_tree, pipe>("bcast_bintree",
                                     "packets down a binary tree, to the left and the right child by turns",
                                     "Saad & Schultz 1986, eq. (3.24), (3.25)", illegal);
}

}  // namespace quadrille
