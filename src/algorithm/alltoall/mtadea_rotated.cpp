// Transposition by alternate directions in all dimensions at once: every block cut in n parts, part p starts with
// dimension p. It meets the bandwidth bound, because every link works in every round.
#include "algorithm/alltoall/shared/mtadea.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_mtadea_rotated {

Algorithm describe() {
  return {.name = "alltoall_mtadea_rotated",
          .collective = Collective::alltoall,
          .summary =
              "transposition by alternate directions of D parts of every block, each through other dimensions, at once",
          .source = "Saad & Schultz 1985, sec. 6, t_MTADEA (corrected), with the dimensions rotated",
          .closed_form = {.startups = "n",
                          .bytes = "n P/2 ceil(m/n)",
                          .further = "n (n - 1)",
                          .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return kit::needs_all_links(s, m); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s);
                const std::int64_t rounds = (kit::half_duplex(m) ? 2 : 1) * n;
                return kit::with_messages(
                    n, kit::neighbour_cost(
                           rounds, base::checked_multiply(rounds, s.ranks() / 2 * base::ceil_div(s.bytes, n), "bytes"),
                           0, alltoall_mtadea::mtadea_packed(n, s.bytes)));
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::split_if_half(
                    schedule::rotated(alltoall_mtadea::mtadea_schedule(kit::dimension(s), s.bytes), s.bytes), s, m);
              }};
}

}  // namespace quadrille::algorithm::alltoall_mtadea_rotated
