// Totals are exchanged over the bits of ranks' numbers; from those of lower ranks each makes the prefix.
#include "algorithm/scan/shared/butterfly.hpp"

#include "algorithm/kit/vectors.hpp"
#include "algorithm/pattern/doubling.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_butterfly {

Algorithm describe() {
  return {
      .name = "scan_butterfly",
      .collective = Collective::scan,
      .summary = "ranks that differ in a bit exchange totals; the higher one puts the lower one's before its prefix",
      .source = "extra: as in all MPIs",
      .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "switch"},
      .parameters = {},
      .claims = kit::in_rank_order,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_doubling(s); },
      .variants = kit::one_variant,
      .cost = [](const Spec& s, const Machine& m, const Params&) { return scan::butterfly_cost(s, m); },
      .build = [](const Spec& s, const Machine& m, const Params&) { return scan::butterfly(s, m); }};
}

}  // namespace quadrille::algorithm::scan_butterfly
