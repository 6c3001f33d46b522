// Alternate direction exchange in all dimensions at once: every block cut in n parts, part p starts with dimension p.
// It meets the bandwidth bound, because every link works in every round.
#include "algorithm/allgather/shared/adea.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_adea_rotated {

Algorithm describe() {
  return {.name = "allgather_adea_rotated",
          .collective = Collective::allgather,
          .summary = "alternate direction exchange of D parts of every block, each through other dimensions, at once",
          .source = "Saad & Schultz 1985, eq. (4.3), with the dimensions rotated",
          .closed_form = {.startups = "n",
                          .bytes = "(P - 1) ceil(m/n)",
                          .further = "n (n - 1)",
                          .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return kit::needs_all_links(s, m); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s), halves = kit::half_duplex(m) ? 2 : 1;
                // Pieces of several blocks lie apart: all that is sent and received but the own blocks of the first
                // step.
                return kit::with_messages(
                    n, kit::neighbour_cost(halves * n, halves * (s.ranks() - 1) * base::ceil_div(s.bytes, n), 0,
                                           2 * (s.ranks() - 2) * s.bytes));
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s);
                return kit::split_if_half(schedule::rotated(allgather_adea::adea_schedule(n, s.bytes), s.bytes), s, m);
              }};
}

}  // namespace quadrille::algorithm::allgather_adea_rotated
