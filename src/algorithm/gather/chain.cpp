// The chain scatter backwards: blocks come to the root along a ring, the nearest first; one port is enough.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_chain {

Algorithm describe() {
  Algorithm gather = scatter_chain::describe();
  gather.name = "gather_chain";
  gather.collective = Collective::gather;
  gather.summary = "one way along a ring through all ranks to the root, one block a message, nearest first";
  gather.source = "extra: Saad & Schultz 1986, eq. (3.38), one way";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_chain::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_chain
