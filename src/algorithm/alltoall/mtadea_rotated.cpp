// Transposition by alternate directions in all dimensions at once: every block cut in n parts, part p starts with
// dimension p. [extra: meets the bandwidth bound, as every link works in every round]
#include "algorithm/alltoall/shared/mtadea.hpp"
#include "algorithm/kit/plain.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

Algorithm alltoall_mtadea_rotated() {
  return plain(
      "alltoall_mtadea_rotated", Collective::alltoall,
      "transposition by alternate directions of D parts of every block, each through other dimensions, at once",
      "Saad & Schultz 1985, sec. 6, t_MTADEA (corrected), with the dimensions rotated",
      [](const Spec& s, const Machine& m, const Params&) { return needs_all_links(s, m); },
      [](const Spec& s, const Machine& m, const Params&) {
        const int n = dimension(s);
        const std::int64_t rounds = (half_duplex(m) ? 2 : 1) * n;
        return with_messages(
            n, neighbour_cost(rounds, checked_multiply(rounds, s.ranks() / 2 * ceil_div(s.bytes, n), "bytes"), 0,
                              mtadea_packed(n, s.bytes)));
      },
      [](const Spec& s, const Machine& m, const Params&) {
        return split_if_half(rotated(mtadea_schedule(dimension(s), s.bytes), s.bytes), s, m);
      });
}

}  // namespace quadrille
