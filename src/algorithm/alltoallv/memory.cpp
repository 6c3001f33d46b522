// An alltoallv through a shared memory: every rank writes all it has at once, then reads what is for it.
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_memory {

namespace {

/// Words lie in the memory in the order of their numbers.
SchedulePtr build(const Spec& spec, const Machine& machine, const Params&) {
  const DemandsPtr demands = spec.demands;
  const auto write = [demands](Rank r, const kit::Copied& copied) {
    if (const Slot words = demands->sent_words(r); words > 0)
      copied(Buffer::in, contiguous(0, words),
             contiguous(demands->first[demands->sent[static_cast<std::size_t>(r)]], words));
  };
  const auto read = [demands](Rank r, const kit::Copied& copied) {
    const auto at = static_cast<std::size_t>(r);
    for (std::size_t i = demands->received[at]; i < demands->received[at + 1]; ++i) {
      const std::size_t pair = demands->incoming[i];
      copied(Buffer::out, contiguous(demands->arrives[pair], demands->words(pair)),
             contiguous(demands->first[pair], demands->words(pair)));
    }
  };
  return kit::waves_schedule(spec, machine, demands->first.back(), kit::by_all(spec.ranks(), write),
                             kit::by_all(spec.ranks(), read));
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoallv_memory",
          .collective = Collective::alltoallv,
          .summary = "through the shared memory: all write what they have, then all read what is for them",
          .source = "as alltoall_memory",
          .closed_form = {.where = "memory: counted"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
          .variants = kit::one_variant,
          .cost = kit::cost_of<build>,
          .build = build};
}

}  // namespace quadrille::algorithm::alltoallv_memory
