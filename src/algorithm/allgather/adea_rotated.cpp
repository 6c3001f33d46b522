// Alternate direction exchange in all dimensions at once: every block cut in n parts, part p starts with dimension p.
// [extra: meets the bandwidth bound, as every link works in every round]
#include "algorithm/allgather/shared/adea.hpp"
#include "algorithm/kit/plain.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

Algorithm allgather_adea_rotated() {
  return plain(
      "allgather_adea_rotated", Collective::allgather,
      "alternate direction exchange of D parts of every block, each through other dimensions, at once",
      "Saad & Schultz 1985, eq. (4.3), with the dimensions rotated",
      [](const Spec& s, const Machine& m, const Params&) { return needs_all_links(s, m); },
      [](const Spec& s, const Machine& m, const Params&) {
        const int n = dimension(s), halves = half_duplex(m) ? 2 : 1;
        // Pieces of several blocks lie apart: all that is sent and received but the own blocks of the first
        // step.
        return with_messages(n, neighbour_cost(halves * n, halves * (s.ranks() - 1) * ceil_div(s.bytes, n), 0,
                                               2 * (s.ranks() - 2) * s.bytes));
      },
      [](const Spec& s, const Machine& m, const Params&) {
        const int n = dimension(s);
        return split_if_half(rotated(adea_schedule(n, s.bytes), s.bytes), s, m);
      });
}

}  // namespace quadrille
