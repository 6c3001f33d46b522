// Some ranks' messages to all through a shared memory: the sources write theirs, then every rank reads all others.
#include <algorithm>

#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_memory {

namespace {

/// A lone source has nothing to read.
Rank readers(const Spec& spec) { return spec.sources->count() == 1 ? spec.ranks() - 1 : spec.ranks(); }

/// A writing wave lasts as long as its largest block. A rank reads all but its own block, so a reading wave lasts as
/// long as all blocks, or less if only sources read in it.
Cost formula(const Spec& spec, const Machine& machine) {
  const Sources& sources = *spec.sources;
  const Slot count = sources.count();
  const std::int64_t k = machine.shared;
  const Bytes all = sources.offset.back();
  const Round reading = base::ceil_div(readers(spec), k);
  Bytes written = 0, read = base::checked_multiply(reading, all, "bytes read"), packed = 0;
  for (Slot i = 0; i < count; i += std::min(k, count - i)) {
    Bytes longest = 0;
    for (Slot j = i; j < count && j - i < k; ++j) longest = std::max(longest, sources.bytes(j));
    written += longest;
  }
  for (Slot i = 0; i < count && count > 1;) {  // by waves that a source reads in
    const Rank wave = sources.ranks[static_cast<std::size_t>(i)] / k, size = std::min(k, spec.ranks() - wave * k);
    Bytes shortest = sources.bytes(i), gathered = 0;
    const Slot first = i;
    for (; i < count && sources.ranks[static_cast<std::size_t>(i)] / k == wave; ++i) {
      shortest = std::min(shortest, sources.bytes(i));
      if (i > 0 && i < count - 1) gathered = std::max(gathered, all - sources.bytes(i));
    }
    if (i - first == size) read -= shortest;
    packed = base::checked_add(packed, gathered, "bytes packed");
  }
  return kit::neighbour_cost(base::ceil_div(count, k) + reading, base::checked_add(written, read, "bytes"), 0, packed);
}

SchedulePtr build_multibcast(const Spec& s, const Machine& m, const Params&) {
  const Slot count = s.sources->count();
  const SourcesPtr sources = s.sources;
  const kit::Accesses writes{count, [=](Rank i) { return sources->ranks[static_cast<std::size_t>(i)]; },
                             [=](Rank r) { return sources->find(r); },
                             [=](Rank r, const kit::Copied& copied) {
                               const Slot own = sources->find(r);
                               copied(Buffer::out, contiguous(own, 1), contiguous(own, 1));
                             }};
  const auto read = [=](Rank r, const kit::Copied& copied) {
    const Slot own = sources->find(r);
    if (own >= 0)
      kit::copy_others(Buffer::out, own, count, 0, 1, copied);
    else
      copied(Buffer::out, contiguous(0, count), contiguous(0, count));
  };
  const Rank p = s.ranks();
  return kit::waves_schedule(s, m, count, writes,
                             count == 1 ? kit::by_others(p, sources->ranks[0], read) : kit::by_all(p, read));
}

}  // namespace

Algorithm describe() {
  return {.name = "multibcast_memory",
          .collective = Collective::multibcast,
          .summary = "through the shared memory: the sources write, then all read what the others wrote",
          .source = "Saad & Schultz 1986, eq. (3.27), for some of the ranks",
          .closed_form = {.where = "as allgather_memory with the sources for the writers; counted"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m, const Params&) { return formula(s, m); },
          .build = build_multibcast};
}

}  // namespace quadrille::algorithm::multibcast_memory
