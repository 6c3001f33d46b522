// Complete exchange through a shared memory: every rank writes all its blocks at once, then reads those for it.
#include "algorithm/kit/plain.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/memory_waves.hpp"

namespace quadrille {

Algorithm alltoall_memory() {
  return plain(
      "alltoall_memory", Collective::alltoall,
      "through the shared memory: all write their blocks, then all read those for them",
      "Saad & Schultz 1986, eq. (3.42) without own blocks",
      [](const Spec& s, const Machine&, const Params&) { return needs_memory(s); },
      [](const Spec& s, const Machine& m, const Params&) {
        const Rank p = s.ranks();
        const Bytes others = checked_multiply(p - 1, s.bytes, "bytes of a rank");
        Cost cost = waves_cost(m, p, others, p, others);
        cost.packed = checked_multiply(2 * waves_that_pack(p, m.shared), others, "bytes packed");
        return cost;
      },
      [](const Spec& s, const Machine& m, const Params&) {
        const Rank p = s.ranks();
        // Block source -> destination is in slot source * P + destination.
        const auto write = [p](Rank r, const Copied& copied) { copy_others(Buffer::in, r, p, r * p, 1, copied); };
        const auto read = [p](Rank r, const Copied& copied) { copy_others(Buffer::out, r, p, r, p, copied); };
        return waves_schedule(s, m, p * p, by_all(p, write), by_all(p, read));
      });
}

}  // namespace quadrille
