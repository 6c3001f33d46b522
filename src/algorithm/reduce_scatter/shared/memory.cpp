#include "algorithm/reduce_scatter/shared/memory.hpp"

#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/support.hpp"
#include "schedule/dual.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

bool everywhere(const Spec& spec) { return spec.collective == Collective::allreduce; }

/// Waves of writes and reads by turns: contributions, and then results. A part of the vector is a block of a
/// reduce-scatter or a piece of an allreduce's vector; the memory has it once for every rank, but the place of the rank
/// whose part it is has its result.
class MemoryWaves final : public Schedule {
 public:
  MemoryWaves(const Spec& spec, std::int64_t at_once)
      : at_once_(at_once), waves_(base::ceil_div(spec.ranks(), at_once)), pieces_(everywhere(spec)) {
    const Rank p = spec.ranks();
    shape_ = {.ranks = p,
              .rounds = spec.bytes == 0 ? 0 : (pieces_ ? 4 : 2) * waves_,
              .in = pieces_ ? 1 : p,
              .out = pieces_ ? 1 : p,
              .tmp = pieces_ ? p : p * p,
              .cut = {.bytes = spec.bytes, .parts = pieces_ ? p : 1, .unit = spec.element}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank first = t % waves_ * at_once_, end = std::min(first + at_once_, shape_.ranks);
    const auto phase = static_cast<int>(t / waves_);
    if (r < shape_.ranks && (r < first || r >= end)) return;
    if (r < shape_.ranks) return access(phase, r, r, out);
    for (Rank rank = first; rank < end; ++rank) access(phase, rank, r, out);
  }

 private:
  /// What a rank does in a phase, as it and as the memory see it.
  void access(int phase, Rank rank, Rank self, Steps& out) const {
    const Rank p = shape_.ranks, memory = p;
    const bool here = self == rank;
    if (phase == 2) {
      if (here)
        out.send(memory, Buffer::out, contiguous(rank, 1));
      else
        out.recv(rank, Buffer::tmp, place(rank, rank));
      return;
    }
    if (phase == 1) {
      bool any = false;
      for (Rank i = rank; i-- > 0; any = true) contribution(rank, i, any, here, out);
      for (Rank i = rank + 1; i < p; ++i, any = true) contribution(rank, i, any, here, out);
      return;
    }
    for (const auto& [from, end] : {std::pair<Rank, Rank>{0, rank}, {rank + 1, p}}) {
      if (from >= end) continue;
      const Slots own = contiguous(from, end - from);
      if (here && phase == 0) out.send(memory, Buffer::in, own);
      if (here && phase == 3) out.recv(memory, Buffer::out, own);
      if (here) continue;
      if (phase == 0)
        out.recv(rank, Buffer::tmp, {place(rank, from).first, 1, p, end - from});
      else
        out.send(rank, Buffer::tmp, {place(from, from).first, 1, p + 1, end - from});
    }
  }
  /// Rank i's contribution to the rank's part: to the left of what is there if it comes from below.
  void contribution(Rank rank, Rank i, bool any, bool here, Steps& out) const {
    if (!here) return out.send(rank, Buffer::tmp, place(i, rank));
    out.combine(shape_.ranks, Buffer::out, contiguous(rank, 1),
                {.incoming = i < rank ? Combine::Incoming::left : Combine::Incoming::right,
                 .buffer = any ? Buffer::out : Buffer::in,
                 .with = rank});
  }
  /// Where the memory has a rank's contribution to a part.
  Slots place(Rank rank, Rank part) const { return contiguous(part * shape_.ranks + rank, 1); }

  std::int64_t at_once_;
  Round waves_;
  bool pieces_;
  Shape shape_;
};

std::string memory_illegal(const Spec& spec, const Machine&, const Params&) {
  if (std::string reason = kit::needs_memory(spec); !reason.empty()) return reason;
  if (spec.offsets) return "needs blocks of one length at all ranks; a crossbar or a bus takes others";
  return {};
}

Cost memory_formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  const Bytes part = everywhere(spec) ? base::ceil_div(spec.bytes, p) : spec.bytes;
  const Bytes others = base::checked_multiply(p - 1, part, "bytes read");
  const std::int64_t waves = base::ceil_div(p, machine.shared), gaps = kit::waves_that_pack(p, machine.shared);
  Cost cost = kit::waves_cost(machine, p, others, p, others);
  // A rank reads several contributions from different places, one after the other into the same.
  cost.packed = base::checked_multiply(gaps + (p > 2 ? waves : 0), others, "bytes packed");
  cost.combined = base::checked_multiply(waves, others, "bytes combined");
  if (!everywhere(spec)) return cost;
  const Cost results = kit::waves_cost(machine, p, part, p, others);
  cost.startups += results.startups, cost.hops += results.hops;
  cost.bytes = base::checked_add(cost.bytes, results.bytes, "bytes");
  cost.packed = base::checked_add(cost.packed, gaps * others, "bytes packed");
  return cost;
}

Claims memory_claims(const Spec& spec, const Machine&, const Params&) {
  const Bytes elements = spec.bytes / spec.element;
  return {.exact = !everywhere(spec) || elements % spec.ranks() == 0, .in_order = true};
}

}  // namespace

Algorithm through_memory(Collective collective, const kit::Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {},
          .claims = memory_claims,
          .illegal = memory_illegal,
          .variants = kit::one_variant,
          .cost = memory_formula,
          .build = [](const Spec& s, const Machine& m, const Params&) {
            return schedule::without_empty(std::make_shared<MemoryWaves>(s, m.shared));
          }};
}

}  // namespace quadrille::algorithm::reduce_scatter
