// Total exchange, second form: as the first, but every block comes over one of its links only, chosen so that all links
// carry equally many.
#include "algorithm/allgather/shared/tea.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_tea2 {

Algorithm describe() {
  return {.name = "allgather_tea2",
          .collective = Collective::allgather,
          .summary = "total exchange over all links at once, every block once, all links loaded alike",
          .source = "Saad & Schultz 1985, eq. (4.5), classes of short period spread by the least-loaded rule",
          .closed_form = {.startups = "n",
                          .bytes = "((P - 2)/n + 1) m",
                          .further = "(n - 1)^2",
                          .where = "hypercube, full duplex, n prime; else sum of ceil(binomial(n, i)/n)"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine& m,
                        const Params&) { return allgather::tea_illegal(s, m, allgather::TeaSteps::plain); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s);
                const std::int64_t halves = kit::half_duplex(m) ? 2 : 1;
                std::int64_t blocks = 0;  // on one link: ceil(C(n,i)/n) in step i
                for (int i = 1; i <= n; ++i) blocks += base::ceil_div(base::binomial(n, i), n);
                Cost cost = kit::neighbour_cost(halves * n, base::checked_multiply(halves * blocks, s.bytes, "bytes"),
                                                0, allgather::tea2_packed(s, allgather::TeaSteps::plain));
                cost.further = halves * (n - 1) * (n - 1);  // the last step has one block, over one link
                return cost;
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::split_if_half(
                    allgather::tea2_schedule(kit::dimension(s), s.bytes, allgather::TeaSteps::plain), s, m);
              }};
}

}  // namespace quadrille::algorithm::allgather_tea2
