// The scatter through a shared memory backwards: ranks write their blocks while the root reads those written before.
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_memory {

Algorithm describe() {
  Algorithm gather = scatter_memory::describe();
  gather.name = "gather_memory";
  gather.collective = Collective::gather;
  gather.summary = "through the shared memory: blocks are written while the root reads the ones before";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_memory::describe().build(s, m, p));
  };
  return gather;
}

}  // namespace quadrille::algorithm::gather_memory
