// Total exchange, second form, for wires that carry one direction at a time: even and odd ranks take turns, a turn
// sends the blocks at two distances, and these two together are spread evenly over the links.
#include "algorithm/allgather/shared/tea.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_tea2_grouped {

Algorithm describe() {
  return {.name = "allgather_tea2_grouped",
          .collective = Collective::allgather,
          .summary = "total exchange in D+1 half-duplex turns, every block once, all links loaded alike",
          .source = "Saad & Schultz 1985, sec. 4.3, grouped half-steps (D+1 of them), least-loaded rule",
          .closed_form = {.where = "hypercube, half duplex: n + 1 start-ups, n (n - 1) further messages, sum of "
                                   "ceil((binomial(n, h - 1) + binomial(n, h))/n) blocks over the half-steps"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine& m,
                        const Params&) { return allgather::tea_illegal(s, m, allgather::TeaSteps::grouped); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                const int n = kit::dimension(s);
                std::int64_t blocks =
                    0;  // on one link: the two distances of a turn together, divided by n and rounded up
                for (int h = 1; h <= n + 1; ++h)
                  blocks +=
                      base::ceil_div((h >= 2 ? base::binomial(n, h - 1) : 0) + (h <= n ? base::binomial(n, h) : 0), n);
                Cost cost = kit::neighbour_cost(n + 1, base::checked_multiply(blocks, s.bytes, "bytes"), 0,
                                                allgather::tea2_packed(s, allgather::TeaSteps::grouped));
                cost.further = n * (n - 1);  // the last turn has one block, over one link
                return cost;
              },
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                return allgather::tea2_schedule(kit::dimension(s), s.bytes, allgather::TeaSteps::grouped);
              }};
}

}  // namespace quadrille::algorithm::allgather_tea2_grouped
