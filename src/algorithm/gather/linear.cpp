// The star scatter backwards: all ranks send the root their blocks at once.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_linear() {
  return linear(
      "gather_linear", Collective::gather, "all ranks send the root their blocks at once, each straight to it",
      [](const Spec& s, const Machine& m, const Params& p) { return reverse(scatter_star().build(s, m, p)); });
}

}  // namespace quadrille
