// Total exchange, first form: in step i neighbours send each other all blocks at distance i from the receiver that can
// come this way. Every block comes over each of its i links, so most deliveries are repeats.
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/allgather/shared/tea.hpp"

namespace quadrille {

Algorithm allgather_tea1() {
  return {
      .name = "allgather_tea1",
      .collective = Collective::allgather,
      .summary = "total exchange over all links at once, every block over each of its shortest ways",
      .source = "Saad & Schultz 1985, eq. (4.4)",
      .parameters = {},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.once = false}; },
      .illegal = [](const Spec& s, const Machine& m, const Params&) { return tea_illegal(s, m, TeaSteps::plain); },
      .variants = one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params&) {
            const int n = dimension(s);
            const std::int64_t halves = half_duplex(m) ? 2 : 1;  // (4.4) for half duplex: 2 n start-ups, 2^n m bytes
            return with_messages(n, neighbour_cost(halves * n, checked_multiply(halves * bit(n - 1), s.bytes, "bytes"),
                                                   0, tea1_packed(s, m, TeaSteps::plain)));
          },
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            return split_if_half(tea1_schedule(dimension(s), s.bytes, TeaSteps::plain), s, m);
          }};
}

}  // namespace quadrille
