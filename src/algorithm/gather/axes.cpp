// The scatter along the axes backwards: bundles grow on their way to the root, at the same cost.
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_axes() {
  Algorithm gather = scatter_axes();
  gather.name = "gather_axes";
  gather.collective = Collective::gather;
  gather.summary = "along one axis after the other, in bundles of what was collected before, nearest first";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_axes().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille
