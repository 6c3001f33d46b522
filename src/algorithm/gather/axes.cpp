// The scatter along the axes backwards: bundles grow on their way to the root, at the same cost.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_axes {

Algorithm describe() {
  Algorithm gather = scatter_axes::describe();
  gather.name = "gather_axes";
  gather.collective = Collective::gather;
  gather.summary = "along one axis after the other, in bundles of what was collected before, nearest first";
  gather.closed_form.where = "torus, along the root's row last";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_axes::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_axes
