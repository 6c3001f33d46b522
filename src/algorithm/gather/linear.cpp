// The star scatter backwards: all ranks send the root their blocks at once.
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_linear {

Algorithm describe() {
  return pattern::linear({.name = "gather_linear",
                          .collective = Collective::gather,
                          .summary = "all ranks send the root their blocks at once, each straight to it",
                          .build = [](const Spec& s, const Machine& m, const Params& p) {
                            return schedule::reverse(scatter_star::describe().build(s, m, p));
                          }});
}

}  // namespace quadrille::algorithm::gather_linear
