// Alternate direction exchange in all dimensions at once: every block cut in n parts, part p starts with dimension p.
// [extra: meets the bandwidth bound, as every link works in every round]
#include "algorithm/allgather/shared/adea.hpp"
#include "algorithm/kit/plain.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_adea_rotated {

Algorithm describe() {
  return kit::plain(
      "allgather_adea_rotated", Collective::allgather,
      "alternate direction exchange of D parts of every block, each through other dimensions, at once",
      "Saad & Schultz 1985, eq. (4.3), with the dimensions rotated",
      [](const Spec& s, const Machine& m, const Params&) { return kit::needs_all_links(s, m); },
      [](const Spec& s, const Machine& m, const Params&) {
        const int n = kit::dimension(s), halves = kit::half_duplex(m) ? 2 : 1;
        // Pieces of several blocks lie apart: all that is sent and received but the own blocks of the first
        // step.
        return kit::with_messages(
            n, kit::neighbour_cost(halves * n, halves * (s.ranks() - 1) * base::ceil_div(s.bytes, n), 0,
                                   2 * (s.ranks() - 2) * s.bytes));
      },
      [](const Spec& s, const Machine& m, const Params&) {
        const int n = kit::dimension(s);
        return kit::split_if_half(schedule::rotated(allgather_adea::adea_schedule(n, s.bytes), s.bytes), s, m);
      });
}

}  // namespace quadrille::algorithm::allgather_adea_rotated
