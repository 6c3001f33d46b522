// The direct scatter backwards: every rank sends the root its block, one after the other.
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_direct() {
  Algorithm gather = scatter_direct();
  gather.name = "gather_direct";
  gather.collective = Collective::gather;
  gather.summary = "the ranks send their blocks to the root one after the other";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_direct().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille
