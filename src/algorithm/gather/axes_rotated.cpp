// The scatter in parts along all axes backwards.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_axes_rotated {

Algorithm describe() {
  Algorithm gather = scatter_axes_rotated::describe();
  gather.name = "gather_axes_rotated";
  gather.collective = Collective::gather;
  gather.summary = "parts of every block along all axes of a torus at once, nearest first";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_axes_rotated::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_axes_rotated
