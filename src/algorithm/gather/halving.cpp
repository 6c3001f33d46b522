// The scatter by halves backwards: every rank hands over all that it has collected, to the rank that collects both
// halves.
#include "algorithm/pattern/halved_lines.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::gather_halving {

Algorithm describe() {
  Algorithm gather = scatter_halving::describe();
  gather.name = "gather_halving";
  gather.collective = Collective::gather;
  gather.summary = "every rank hands over what it has collected of its half, one axis after the other";
  gather.build = [](const Spec& s, const Machine& m, const Params& p) {
    return schedule::reverse(scatter_halving::describe().build(s, m, p));
  };
  gather.illegal = [](const Spec& s, const Machine& m, const Params&) { return pattern::halving_illegal(s, m); };
  return gather;
}

}  // namespace quadrille::algorithm::gather_halving
