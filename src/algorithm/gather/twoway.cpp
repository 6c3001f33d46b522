// The two-way scatter backwards: blocks come to the root from both sides of a ring, the nearest first.
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_twoway() {
  Algorithm gather = scatter_twoway();
  gather.name = "gather_twoway";
  gather.collective = Collective::gather;
  gather.summary = "both ways round a ring through all ranks to the root, one block a message, nearest first";
  gather.source = "Saad & Schultz 1986, eq. (3.38)";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_twoway().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille
