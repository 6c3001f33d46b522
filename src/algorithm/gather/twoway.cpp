// The two-way scatter backwards: blocks come to the root from both sides of a ring, the nearest first.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_twoway {

Algorithm describe() {
  Algorithm gather = scatter_twoway::describe();
  gather.name = "gather_twoway";
  gather.collective = Collective::gather;
  gather.summary = "both ways round a ring through all ranks to the root, one block a message, nearest first";
  gather.source = "Saad & Schultz 1986, eq. (3.38)";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_twoway::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_twoway
