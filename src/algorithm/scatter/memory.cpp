// Scatter through a shared memory: the root writes blocks in batches, and the others read theirs while it writes the
// next batch. In one batch it is the papers': one wave that writes all, ceil((P-1)/k*) that read.
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_memory {

namespace {

Slot batch_of(const Spec& spec, const Params& params) { return params.get("batch", spec.ranks() - 1); }

/// Blocks are counted from the root, the block of the next rank is 0; in the memory they lie in that order.
kit::AccessStream stream(const Spec& spec, Slot batch) {
  const Rank p = spec.ranks(), root = spec.root;
  const Slot items = base::ceil_div(p - 1, batch), last = p - 1 - (items - 1) * batch;
  return {.items = items,
          .readers = batch,
          .last_readers = last,
          .reader = [=](Slot item, Rank i) { return item * batch + i + 1; },
          .place = [=](Slot item, Rank reader) { return reader - 1 - item * batch; },
          .write =
              [=](Slot item, const kit::Copied& copied) {
                const Slot first = item * batch, size = item + 1 < items ? batch : last;
                const Rank rank = (root + 1 + first) % p;
                const Slot before = std::min(size, p - rank);  // then the ranks go on with 0
                copied(Buffer::in, contiguous(rank, before), contiguous(first, before));
                if (size > before)
                  copied(Buffer::in, contiguous(0, size - before), contiguous(first + before, size - before));
              },
          .read = [](Slot, Rank reader,
                     const kit::Copied& copied) { copied(Buffer::out, contiguous(0, 1), contiguous(reader - 1, 1)); }};
}

/// Every block is written once, and waves that only read last a block each.
Cost formula(const Spec& spec, const Machine& machine, Slot batch) {
  const Rank p = spec.ranks();
  const kit::AccessStream all = stream(spec, batch);
  const Round rounds = all.rounds(machine);
  Cost cost = kit::neighbour_cost(rounds, base::checked_multiply(p - 1 + rounds - all.items, spec.bytes, "bytes"));
  const Slot wrapped = p - 1 - spec.root;  // blocks before that of rank 0
  if (spec.root > 0 && wrapped % batch != 0)
    cost.packed = std::min(batch, p - 1 - wrapped / batch * batch) * spec.bytes;
  return cost;
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = kit::needs_memory(spec); !reason.empty()) return reason;
  const Slot batch = batch_of(spec, params), most = spec.ranks() - 1;
  if (batch >= 1 && batch <= most) return {};
  return fmt::format("batch={} is not in 1 .. {}, the blocks that leave the root; try batch={}", batch, most, most);
}

/// All at once, or as many as others read meanwhile: between the two, start-ups fall and bytes grow at one rate, but
/// for waves that are not full. So where ranks are few, the best of all batches is listed, too.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  constexpr Slot most_tried = 4096;
  const Slot most = spec.ranks() - 1;
  std::vector<Slot> batches{most};
  if (machine.shared > 1 && machine.shared - 1 < most) batches.push_back(machine.shared - 1);
  const auto time = [&](Slot batch) { return seconds(formula(spec, machine, batch), machine, *spec.topology); };
  Slot best = batches.back();
  for (Slot batch = 1; batch < most && most <= most_tried; ++batch)
    if (time(batch) < std::min(time(best), time(most)) * (1 - 1e-12)) best = batch;
  if (best != batches.back()) batches.push_back(best);
  std::vector<Params> all;
  for (const Slot batch : batches) all.push_back(Params{{"batch", {batch}}});
  return all;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "scatter_memory",
      .collective = Collective::scatter,
      .summary = "through the shared memory: blocks are read while the root writes the next ones",
      .source = "Saad & Schultz 1986, eq. (3.37) corrected, in one batch; smaller batches: extra",
      .closed_form = {.startups = "1 + ceil((P - 1)/k)",
                      .bytes = "(P - 1 + ceil((P - 1)/k)) m",
                      .where = "memory, one batch"},
      .parameters = {{.name = "batch", .meaning = "blocks that the root writes or reads at once; P-1: all of them"}},
      .claims = kit::all_claims,
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return formula(s, m, batch_of(s, p)); },
      .build =
          [](const Spec& s, const Machine& m, const Params& p) {
            const kit::AccessStream all = stream(s, batch_of(s, p));
            return kit::stream_schedule(s, m, all,
                                        {.ranks = s.ranks(),
                                         .rounds = all.rounds(m),
                                         .in = s.ranks(),
                                         .out = 1,
                                         .tmp = s.ranks() - 1,
                                         .cut = {.bytes = s.bytes}});
          }};
}

}  // namespace quadrille::algorithm::scatter_memory
