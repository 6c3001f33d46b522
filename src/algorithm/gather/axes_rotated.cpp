// The scatter in parts along all axes backwards.
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_axes_rotated() {
  Algorithm gather = scatter_axes_rotated();
  gather.name = "gather_axes_rotated";
  gather.collective = Collective::gather;
  gather.summary = "parts of every block along all axes of a torus at once, nearest first";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_axes_rotated().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille
