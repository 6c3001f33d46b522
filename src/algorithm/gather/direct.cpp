// The direct scatter backwards: every rank sends the root its block, one after the other.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_direct {

Algorithm describe() {
  Algorithm gather = scatter_direct::describe();
  gather.name = "gather_direct";
  gather.collective = Collective::gather;
  gather.summary = "the ranks send their blocks to the root one after the other";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_direct::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_direct
