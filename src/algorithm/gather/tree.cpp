// The tree scatter backwards: every rank hands its parent all it has collected, at the same cost.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_tree {

Algorithm describe() {
  Algorithm gather = scatter_tree::describe();
  gather.name = "gather_tree";
  gather.collective = Collective::gather;
  gather.summary = "up a binomial tree: every rank passes on all it has collected";
  gather.source = "Saad & Schultz 1985, sec. 5; 1986, eq. (3.40), (3.41)";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_tree::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_tree
