// All-gather through a shared memory: every rank writes its block, then reads all others at once.
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_memory {

Algorithm describe() {
  return {.name = "allgather_memory",
          .collective = Collective::allgather,
          .summary = "through the shared memory: all write their blocks, then all read those of the others",
          .source = "Saad & Schultz 1986, eq. (3.27) without own blocks",
          .closed_form = {.startups = "2 ceil(P/k)", .bytes = "ceil(P/k) P m", .where = "memory"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const Rank p = s.ranks();
                const Bytes others = base::checked_multiply(p - 1, s.bytes, "bytes read");
                Cost cost = kit::waves_cost(m, p, s.bytes, p, others);
                cost.packed = base::checked_multiply(kit::waves_that_pack(p, m.shared), others, "bytes packed");
                return cost;
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const Rank p = s.ranks();
                const auto write = [](Rank r, const kit::Copied& copied) {
                  copied(Buffer::out, contiguous(r, 1), contiguous(r, 1));
                };
                const auto read = [p](Rank r, const kit::Copied& copied) {
                  kit::copy_others(Buffer::out, r, p, 0, 1, copied);
                };
                return kit::waves_schedule(s, m, p, kit::by_all(p, write), kit::by_all(p, read));
              }};
}

}  // namespace quadrille::algorithm::allgather_memory
