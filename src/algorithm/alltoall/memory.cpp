// Complete exchange through a shared memory: every rank writes all its blocks at once, then reads those for it.
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_memory {

Algorithm describe() {
  return {.name = "alltoall_memory",
          .collective = Collective::alltoall,
          .summary = "through the shared memory: all write their blocks, then all read those for them",
          .source = "Saad & Schultz 1986, eq. (3.42) without own blocks",
          .closed_form = {.startups = "2 ceil(P/k)", .bytes = "2 ceil(P/k) (P - 1) m", .where = "memory"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const Rank p = s.ranks();
                const Bytes others = base::checked_multiply(p - 1, s.bytes, "bytes of a rank");
                Cost cost = kit::waves_cost(m, p, others, p, others);
                cost.packed = base::checked_multiply(2 * kit::waves_that_pack(p, m.shared), others, "bytes packed");
                return cost;
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const Rank p = s.ranks();
                // Block source -> destination is in slot source * P + destination.
                const auto write = [p](Rank r, const kit::Copied& copied) {
                  kit::copy_others(Buffer::in, r, p, r * p, 1, copied);
                };
                const auto read = [p](Rank r, const kit::Copied& copied) {
                  kit::copy_others(Buffer::out, r, p, r, p, copied);
                };
                return kit::waves_schedule(s, m, p * p, kit::by_all(p, write), kit::by_all(p, read));
              }};
}

}  // namespace quadrille::algorithm::alltoall_memory
