// The chain scatter backwards: blocks come to the root along a ring, the nearest first; one port is enough.
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_chain() {
  Algorithm gather = scatter_chain();
  gather.name = "gather_chain";
  gather.collective = Collective::gather;
  gather.summary = "one way along a ring through all ranks to the root, one block a message, nearest first";
  gather.source = "extra: Saad & Schultz 1986, eq. (3.38), one way";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_chain().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille
