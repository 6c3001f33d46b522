// Total exchange, first form: in step i neighbours send each other all blocks at distance i from the receiver that can
// come this way. Every block comes over each of its i links, so most deliveries are repeats.
#include "algorithm/allgather/shared/tea.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_tea1 {

Algorithm describe() {
  return {.name = "allgather_tea1",
          .collective = Collective::allgather,
          .summary = "total exchange over all links at once, every block over each of its shortest ways",
          .source = "Saad & Schultz 1985, eq. (4.4)",
          .closed_form = {.startups = "n",
                          .bytes = "2^(n - 1) m",
                          .further = "n (n - 1)",
                          .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.once = false}; },
          .illegal = [](const Spec& s, const Machine& m,
                        const Params&) { return allgather::tea_illegal(s, m, allgather::TeaSteps::plain); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s);
                const std::int64_t halves =
                    kit::half_duplex(m) ? 2 : 1;  // (4.4) for half duplex: 2 n start-ups, 2^n m bytes
                return kit::with_messages(
                    n,
                    kit::neighbour_cost(halves * n, base::checked_multiply(halves * base::bit(n - 1), s.bytes, "bytes"),
                                        0, allgather::tea1_packed(s, m, allgather::TeaSteps::plain)));
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::split_if_half(
                    allgather::tea1_schedule(kit::dimension(s), s.bytes, allgather::TeaSteps::plain), s, m);
              }};
}

}  // namespace quadrille::algorithm::allgather_tea1
