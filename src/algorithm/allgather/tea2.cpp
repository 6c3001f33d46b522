// Total exchange, second form: as the first, but every block comes over one of its links only, chosen so that all links
// carry equally many.
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/allgather/shared/tea.hpp"

namespace quadrille {

Algorithm allgather_tea2() {
  return {.name = "allgather_tea2",
          .collective = Collective::allgather,
          .summary = "total exchange over all links at once, every block once, all links loaded alike",
          .source = "Saad & Schultz 1985, eq. (4.5), classes of short period spread by the least-loaded rule",
          .parameters = {},
          .claims = all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return tea_illegal(s, m, TeaSteps::plain); },
          .variants = one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = dimension(s);
                const std::int64_t halves = half_duplex(m) ? 2 : 1;
                std::int64_t blocks = 0;  // on one link: ceil(C(n,i)/n) in step i
                for (int i = 1; i <= n; ++i) blocks += ceil_div(binomial(n, i), n);
                Cost cost = neighbour_cost(halves * n, checked_multiply(halves * blocks, s.bytes, "bytes"), 0,
                                           tea2_packed(s, TeaSteps::plain));
                cost.further = halves * (n - 1) * (n - 1);  // the last step has one block, over one link
                return cost;
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return split_if_half(tea2_schedule(dimension(s), s.bytes, TeaSteps::plain), s, m);
              }};
}

}  // namespace quadrille
