// Transposition by alternate directions in all dimensions at once: every block cut in n parts, part p starts with
// dimension p. [extra: meets the bandwidth bound, as every link works in every round]
#include "algorithm/alltoall/shared/mtadea.hpp"
#include "algorithm/kit/plain.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_mtadea_rotated {

Algorithm describe() {
  return kit::plain(
      "alltoall_mtadea_rotated", Collective::alltoall,
      "transposition by alternate directions of D parts of every block, each through other dimensions, at once",
      "Saad & Schultz 1985, sec. 6, t_MTADEA (corrected), with the dimensions rotated",
      [](const Spec& s, const Machine& m, const Params&) { return kit::needs_all_links(s, m); },
      [](const Spec& s, const Machine& m, const Params&) {
        const int n = kit::dimension(s);
        const std::int64_t rounds = (kit::half_duplex(m) ? 2 : 1) * n;
        return kit::with_messages(
            n, kit::neighbour_cost(rounds,
                                   base::checked_multiply(rounds, s.ranks() / 2 * base::ceil_div(s.bytes, n), "bytes"),
                                   0, alltoall_mtadea::mtadea_packed(n, s.bytes)));
      },
      [](const Spec& s, const Machine& m, const Params&) {
        return kit::split_if_half(
            schedule::rotated(alltoall_mtadea::mtadea_schedule(kit::dimension(s), s.bytes), s.bytes), s, m);
      });
}

}  // namespace quadrille::algorithm::alltoall_mtadea_rotated
