// All-gather through a shared memory: every rank writes its block, then reads all others at once.
#include "algorithm/kit/plain.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/memory_waves.hpp"

namespace quadrille {

Algorithm allgather_memory() {
  return plain(
      "allgather_memory", Collective::allgather,
      "through the shared memory: all write their blocks, then all read those of the others",
      "Saad & Schultz 1986, eq. (3.27) without own blocks",
      [](const Spec& s, const Machine&, const Params&) { return needs_memory(s); },
      [](const Spec& s, const Machine& m, const Params&) {
        const Rank p = s.ranks();
        const Bytes others = checked_multiply(p - 1, s.bytes, "bytes read");
        Cost cost = waves_cost(m, p, s.bytes, p, others);
        cost.packed = checked_multiply(waves_that_pack(p, m.shared), others, "bytes packed");
        return cost;
      },
      [](const Spec& s, const Machine& m, const Params&) {
        const Rank p = s.ranks();
        const auto write = [](Rank r, const Copied& copied) {
          copied(Buffer::out, contiguous(r, 1), contiguous(r, 1));
        };
        const auto read = [p](Rank r, const Copied& copied) { copy_others(Buffer::out, r, p, 0, 1, copied); };
        return waves_schedule(s, m, p, by_all(p, write), by_all(p, read));
      });
}

}  // namespace quadrille
