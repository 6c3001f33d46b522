// On a bus: the ranks tell all ranks above them their contribution, from the last but one down, and each puts what it
// hears before what it has.
#include "algorithm/kit/bus_vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_bus {

Algorithm describe() {
  return kit::vectors_on_a_bus<kit::all_but_one, kit::tell_all_above<true>>(
      Collective::scan, "scan_bus", "one rank after the other, the highest first, tells all above it its contribution");
}

}  // namespace quadrille::algorithm::scan_bus
