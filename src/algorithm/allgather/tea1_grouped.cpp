// Total exchange, first form, for wires that carry one direction at a time: even and odd ranks take turns, and a turn
// sends what two steps would. It takes D+1 turns for every D; the printed loop ends one turn early when D is even.
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/allgather/shared/tea.hpp"

namespace quadrille {

Algorithm allgather_tea1_grouped() {
  return {
      .name = "allgather_tea1_grouped",
      .collective = Collective::allgather,
      .summary = "total exchange in D+1 half-duplex turns, every block over each of its shortest ways",
      .source = "Saad & Schultz 1985, sec. 4.3, grouped half-steps (D+1 of them)",
      .parameters = {},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.once = false}; },
      .illegal = [](const Spec& s, const Machine& m, const Params&) { return tea_illegal(s, m, TeaSteps::grouped); },
      .variants = one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params&) {
            const int n = dimension(s);
            return with_messages(n, neighbour_cost(n + 1, checked_multiply(s.ranks(), s.bytes, "bytes"), 0,
                                                   tea1_packed(s, m, TeaSteps::grouped)));
          },
      .build = [](const Spec& s, const Machine&,
                  const Params&) { return tea1_schedule(dimension(s), s.bytes, TeaSteps::grouped); }};
}

}  // namespace quadrille
