// Through a shared memory: all ranks but the last write their contributions. Every rank then reads the one of the rank
// before it, and combines it with those of the ranks before that one. The last ranks, which read most, read together.
#include "algorithm/kit/memory_vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_memory {

namespace {

struct Waves {
  Rank ranks;
  std::int64_t at_once;
  Round one() const { return base::ceil_div(ranks - 1, at_once); }  ///< that write, and that read one contribution
  Round more() const { return base::ceil_div(std::max<Rank>(ranks - 2, 0), at_once); }
  Round all() const { return 2 * one() + more(); }
};

void step(const Waves& waves, Round t, Rank r, Steps& out) {
  const Rank p = waves.ranks, memory = p;
  const Round phase = t < 2 * waves.one() ? t / waves.one() : 2, wave = t - phase * waves.one();
  const Rank first = wave * waves.at_once, end = std::min(first + waves.at_once, phase == 2 ? p - 2 : p - 1);
  for (Rank i = first; i < end; ++i) {
    const Rank rank = phase == 0 ? i : p - 1 - i;
    if (phase == 0 && r == rank) out.send(memory, Buffer::in, kit::at(0));
    if (phase == 0 && r == memory) out.recv(rank, Buffer::tmp, kit::at(rank));
    if (phase == 1 && r == memory) out.send(rank, Buffer::tmp, kit::at(rank - 1));
    if (phase == 1 && r == rank) out.recv(memory, Buffer::out, kit::at(0));
    for (Rank lower = rank - 2; phase == 2 && lower >= 0; --lower) {
      if (r == memory) out.send(rank, Buffer::tmp, kit::at(lower));
      if (r == rank) out.combine(memory, Buffer::out, kit::at(0), kit::onto(rank, lower, Buffer::out));
    }
  }
}

Waves waves_of(const Spec& spec, const Machine& machine) { return {spec.ranks(), machine.shared}; }

/// The first rank of a wave of the last phase reads most: P - 2, P - 2 - k, ... contributions.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Waves waves = waves_of(spec, machine);
  const Rank most = std::max<Rank>(spec.ranks() - 2, 0), k = std::min(machine.shared, std::max<Rank>(most, 1));
  const std::int64_t read = waves.more() * most - k * (waves.more() * (waves.more() - 1) / 2);
  Cost cost = kit::whole_vectors(spec, base::checked_add(2 * waves.one(), read, "bytes"), read);
  cost.startups = cost.hops = waves.all();
  const bool single = waves.more() > 0 && most - k * (waves.more() - 1) == 1;  // one contribution is one run
  cost.packed = base::checked_multiply(read - (single ? 1 : 0), spec.bytes, "bytes packed");
  return cost;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "exscan_memory",
      .collective = Collective::exscan,
      .summary = "through the shared memory: all write their contributions, and read those of the ranks before them",
      .source = "extra",
      .closed_form = {.where = "memory; P - 1 write, P - 1 read one contribution, P - 2 the others"},
      .parameters = {},
      .claims = kit::in_rank_order,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
      .variants = kit::one_variant,
      .cost = formula,
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            return kit::vector_schedule(
                s, waves_of(s, m).all(), s.ranks(),
                {[waves = waves_of(s, m)](Round t, Rank r, Steps& out) { step(waves, t, r, out); }});
          }};
}

}  // namespace quadrille::algorithm::exscan_memory
