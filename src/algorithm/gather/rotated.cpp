// The rotated scatter backwards: every block in n parts, one up each of n binomial trees turned against each other.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_rotated {

Algorithm describe() {
  Algorithm gather = scatter_rotated::describe();
  gather.name = "gather_rotated";
  gather.collective = Collective::gather;
  gather.summary = "n parts of every block up n binomial trees, each part over another dimension at a time";
  gather.source = "extra: Saad & Schultz 1985, sec. 5, on all ports";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_rotated::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_rotated
