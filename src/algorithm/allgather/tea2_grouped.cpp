// Total exchange, second form, for wires that carry one direction at a time: even and odd ranks take turns, a turn
// sends the blocks at two distances, and these two together are spread evenly over the links.
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/allgather/shared/tea.hpp"

namespace quadrille {

Algorithm allgather_tea2_grouped() {
  return {
      .name = "allgather_tea2_grouped",
      .collective = Collective::allgather,
      .summary = "total exchange in D+1 half-duplex turns, every block once, all links loaded alike",
      .source = "Saad & Schultz 1985, sec. 4.3, grouped half-steps (D+1 of them), least-loaded rule",
      .parameters = {},
      .claims = all_claims,
      .illegal = [](const Spec& s, const Machine& m, const Params&) { return tea_illegal(s, m, TeaSteps::grouped); },
      .variants = one_variant,
      .cost =
          [](const Spec& s, const Machine&, const Params&) {
            const int n = dimension(s);
            std::int64_t blocks = 0;  // on one link: the two distances of a turn together, divided by n and rounded up
            for (int h = 1; h <= n + 1; ++h)
              blocks += ceil_div((h >= 2 ? binomial(n, h - 1) : 0) + (h <= n ? binomial(n, h) : 0), n);
            Cost cost =
                neighbour_cost(n + 1, checked_multiply(blocks, s.bytes, "bytes"), 0, tea2_packed(s, TeaSteps::grouped));
            cost.further = n * (n - 1);  // the last turn has one block, over one link
            return cost;
          },
      .build = [](const Spec& s, const Machine&,
                  const Params&) { return tea2_schedule(dimension(s), s.bytes, TeaSteps::grouped); }};
}

}  // namespace quadrille
