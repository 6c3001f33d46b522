// Packets go from rank to rank in order; each puts its contribution behind what comes, which is its prefix, and sends
// that on.
#include "algorithm/scan/shared/chain.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_chain {

Algorithm describe() {
  return scan::along_a_chain(
      Collective::scan,
      {.name = "scan_chain",
       .summary = "packets go from rank to rank, each of which adds its contribution",
       .source = "extra",
       .closed_form = {.startups = "nu + P - 2", .bytes = "m + (P - 2) ceil(m/nu)", .where = "ring"}},
      [](const Spec& s, const Machine& m, const Params& p) {
        Cost cost = scan::chain_cost(s, m, p);
        cost.combined = cost.bytes;
        return cost;
      });
}

}  // namespace quadrille::algorithm::scan_chain
