// The scatter through a shared memory backwards: ranks write their blocks while the root reads those written before.
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_memory() {
  Algorithm gather = scatter_memory();
  gather.name = "gather_memory";
  gather.collective = Collective::gather;
  gather.summary = "through the shared memory: blocks are written while the root reads the ones before";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_memory().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille
