// Transposition of a square of ranks through a shared memory: all ranks off the diagonal write, then read.
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/pair_swaps.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::transpose_memory {

Algorithm describe() {
  return {
      .name = "transpose_memory",
      .collective = Collective::transpose,
      .summary = "through the shared memory: the ranks off the diagonal write their blocks and read their partners'",
      .source = "Saad & Schultz 1986, eq. (3.42), for one block of each rank",
      .closed_form = {.startups = "2 ceil((P - s)/k)", .bytes = "2 ceil((P - s)/k) m", .where = "memory, P = s^2"},
      .parameters = {},
      .claims = kit::all_claims,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params&) {
            const Rank movers = 2 * pattern::mirrored_pairs(s);
            return kit::waves_cost(m, movers, s.bytes, movers, s.bytes);
          },
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            const Rank side = base::nearest_root(s.ranks()), diagonal = side + 1;
            // Between two ranks of the diagonal lie `side` others.
            const kit::Accesses movers{2 * pattern::mirrored_pairs(s),
                                       [=](Rank i) { return i / side * diagonal + i % side + 1; },
                                       [=](Rank r) { return r % diagonal == 0 ? Rank{-1} : r - r / diagonal - 1; },
                                       {}};
            kit::Accesses writes = movers, reads = movers;
            writes.copy = [](Rank r, const kit::Copied& copied) {
              copied(Buffer::in, contiguous(0, 1), contiguous(r, 1));
            };
            reads.copy = [s](Rank r, const kit::Copied& copied) {
              copied(Buffer::out, contiguous(0, 1), contiguous(transposed(s, r), 1));
            };
            return kit::waves_schedule(s, m, s.ranks(), writes, reads);
          }};
}

}  // namespace quadrille::algorithm::transpose_memory
