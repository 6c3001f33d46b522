// On a bus: the ranks tell all ranks above them their contribution, from the last but one down, and each puts what it
// hears before what it has.
#include "algorithm/kit/bus_vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_bus {

namespace {

/// What comes first is combined with nothing.
std::int64_t combined(const Spec& spec) { return std::max<Rank>(spec.ranks() - 2, 0); }

}  // namespace

Algorithm describe() {
  return kit::vectors_on_a_bus<combined, kit::tell_all_above<false>>(
      Collective::exscan, "exscan_bus",
      "one rank after the other, the highest first, tells all above it its contribution");
}

}  // namespace quadrille::algorithm::exscan_bus
