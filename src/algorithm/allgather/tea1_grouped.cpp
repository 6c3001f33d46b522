// Total exchange, first form, for wires that carry one direction at a time: even and odd ranks take turns, and a turn
// sends what two steps would. It takes D+1 turns for every D; the printed loop ends one turn early when D is even.
#include "algorithm/allgather/shared/tea.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_tea1_grouped {

Algorithm describe() {
  return {.name = "allgather_tea1_grouped",
          .collective = Collective::allgather,
          .summary = "total exchange in D+1 half-duplex turns, every block over each of its shortest ways",
          .source = "Saad & Schultz 1985, sec. 4.3, grouped half-steps (D+1 of them)",
          .closed_form = {.startups = "n + 1",
                          .bytes = "2^n m",
                          .further = "(n + 1) (n - 1)",
                          .where = "hypercube, half duplex"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.once = false}; },
          .illegal = [](const Spec& s, const Machine& m,
                        const Params&) { return allgather::tea_illegal(s, m, allgather::TeaSteps::grouped); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s);
                return kit::with_messages(
                    n, kit::neighbour_cost(n + 1, base::checked_multiply(s.ranks(), s.bytes, "bytes"), 0,
                                           allgather::tea1_packed(s, m, allgather::TeaSteps::grouped)));
              },
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                return allgather::tea1_schedule(kit::dimension(s), s.bytes, allgather::TeaSteps::grouped);
              }};
}

}  // namespace quadrille::algorithm::allgather_tea1_grouped
