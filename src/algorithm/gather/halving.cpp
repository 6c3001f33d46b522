// The scatter by halves backwards: every rank hands over all that it has collected, to the rank that collects both
// halves.
#include "algorithm/pattern/halved_lines.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille {

Algorithm gather_halving() {
  Algorithm gather = scatter_halving();
  gather.name = "gather_halving";
  gather.collective = Collective::gather;
  gather.summary = "every rank hands over what it has collected of its half, one axis after the other";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return reverse(scatter_halving().build(s, m, p));
  };
  gather.illegal = [](const Spec& s, const Machine& m, const Params&) { return halving_illegal(s, m); };
  return gather;
}

}  // namespace quadrille
